import { readFileSync } from 'node:fs'

/** Whom this process trusts. It begins with the authorities that come with Node. */
interface Certificates {
  /** Grows with each change: who failed before it may try again. */
  readonly version: number
  /** Adds the authorities of the system and of the user's own files; does nothing if they are known already. */
  addMore(): void
  /** What could not be read, in words; empty if nothing. */
  readonly note: string
}

interface CertificateOptions {
  /** Files with further authorities, each with who named it. */
  files(): { path: string; from: string }[]
}

/**
 * Reading the authorities of the system takes a tenth of a second, and most servers need none of them. So they are read
 * when a server shows a certificate that is not known.
 */
export function createCertificates({ files }: CertificateOptions): Certificates {
  let version = 0
  let note = ''
  let known = ''
  return {
    get version() {
      return version
    },
    get note() {
      return note
    },
    addMore: () => {
      const own = files().map((file) => ({ ...file, ...read(file.path) }))
      note = own.flatMap(({ path, from, error }) => (error ? [`${from} names ${path}, which ${error}.`] : [])).join(' ')
      const wanted = JSON.stringify(own.map(({ path, certificates }) => [path, certificates]))
      if (version > 0 && wanted === known) return
      known = wanted
      version++
      // Not by an import: this module is loaded at the start of the app.
      const tls = process.getBuiltinModule('node:tls')
      tls.setDefaultCACertificates([
        ...new Set([
          ...tls.getCACertificates('default'),
          ...tls.getCACertificates('system'),
          ...own.flatMap(({ certificates }) => certificates),
        ]),
      ])
    },
  }
}

const block = /-----BEGIN (?:TRUSTED )?CERTIFICATE-----[\s\S]+?-----END (?:TRUSTED )?CERTIFICATE-----/g

function read(path: string): { certificates: string[]; error?: string } {
  try {
    const blocks = readFileSync(path, 'utf8').match(block) ?? []
    // One that cannot be read would keep out all others, those of the system with them.
    const certificates = blocks.flatMap(plainCertificate)
    if (blocks.length === 0) return { certificates, error: 'holds no certificate in PEM form' }
    return {
      certificates,
      ...(certificates.length < blocks.length && { error: 'holds a certificate that is damaged' }),
    }
  } catch {
    return { certificates: [], error: 'cannot be read' }
  }
}

/** In the plain form, which is the only one that is taken as an authority; none if it is damaged. */
function plainCertificate(text: string): string[] {
  try {
    const { X509Certificate } = process.getBuiltinModule('node:crypto')
    return [new X509Certificate(text).toString()]
  } catch {
    return []
  }
}
