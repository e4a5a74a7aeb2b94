import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

export interface PrivateAuthority {
  /** The PEM file of its own certificate. */
  file: string
  /** A key and a certificate for these names. */
  issue(...names: string[]): { key: string; cert: string }
}

/** A certificate authority that nobody knows, made by openssl in a folder. */
export function privateAuthority(folder: string): PrivateAuthority {
  const at = (name: string): string => join(folder, name)
  const openssl = (...args: string[]): void => void execFileSync('openssl', args, { stdio: 'pipe' })
  const newKey = (name: string): void =>
    openssl('genpkey', '-algorithm', 'EC', '-pkeyopt', 'ec_paramgen_curve:P-256', '-out', at(name))
  newKey('ca.key')
  openssl(
    ...['req', '-x509', '-new', '-key', at('ca.key'), '-subj', '/CN=A private authority', '-days', '2'],
    ...['-addext', 'basicConstraints=critical,CA:TRUE', '-addext', 'keyUsage=keyCertSign', '-out', at('ca.pem')],
  )
  let issued = 0
  return {
    file: at('ca.pem'),
    issue: (...names) => {
      const name = `server-${++issued}`
      newKey(`${name}.key`)
      openssl('req', '-new', '-key', at(`${name}.key`), '-subj', `/CN=${names[0]}`, '-out', at(`${name}.csr`))
      const alternatives = names.map((each) => `${/^[\d.]+$/.test(each) ? 'IP' : 'DNS'}:${each}`).join(',')
      writeFileSync(at(`${name}.ext`), `subjectAltName=${alternatives}\n`)
      openssl(
        ...['x509', '-req', '-in', at(`${name}.csr`), '-CA', at('ca.pem'), '-CAkey', at('ca.key'), '-CAcreateserial'],
        ...['-days', '2', '-extfile', at(`${name}.ext`), '-out', at(`${name}.pem`)],
      )
      return { key: readFileSync(at(`${name}.key`), 'utf8'), cert: readFileSync(at(`${name}.pem`), 'utf8') }
    },
  }
}
