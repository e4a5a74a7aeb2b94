import { createPrivateKey, generateKeyPairSync, type KeyObject, X509Certificate } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { hostname, networkInterfaces } from 'node:os'
import { join } from 'node:path'
import { GatewayError } from './errors'
import { pinOf } from './pin'
import { selfSignedCertificate } from './self-signed'

const day = 86_400_000
const validForDays = 3650
/**
 * A generated certificate is renewed when less time than this is left. Its key stays, and with it the pin that nodes
 * know.
 */
const renewedDays = 365

/** What a gateway presents to nodes. */
export interface GatewayCertificate {
  key: string
  /** With its chain, if the file has one. */
  cert: string
  /** The pin that nodes need; null if an authority has signed the certificate. */
  pin: string | null
  /** The names that it is valid for, without wildcards. */
  names: string[]
}

/** The user's own certificate. Throws `GatewayError` with a message for the user. */
export function readCertificate(certificateFile: string, keyFile: string, now: number): GatewayCertificate {
  const cert = readText(certificateFile, 'certificate')
  const keyText = readText(keyFile, 'key')
  const shown = parsed(() => new X509Certificate(cert), `${certificateFile} holds no certificate in PEM form`)
  const key = parsed(
    () => createPrivateKey(keyText),
    `${keyFile} holds no private key in PEM form without a passphrase`,
  )
  if (!shown.checkPrivateKey(key))
    throw new GatewayError(500, `The key in ${keyFile} does not belong to the certificate`)
  if (Date.parse(shown.validTo) <= now) throw new GatewayError(500, `The certificate expired on ${shown.validTo}`)
  const isSelfSigned = shown.issuer === shown.subject && shown.verify(shown.publicKey)
  return { key: keyText, cert, pin: isSelfSigned ? pinOf(shown) : null, names: namesOf(shown) }
}

/** The certificate that is generated and stored here; nodes recognise it by its pin. */
export function madeCertificate(folder: string, now: number): GatewayCertificate {
  const [keyFile, certificateFile] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')]
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const key = existsSync(keyFile) ? keptKey(keyFile) : makeKey(keyFile)
  const kept = existsSync(certificateFile) ? usable(readFileSync(certificateFile, 'utf8'), key, now) : null
  const cert = kept ?? makeCertificate(key, now)
  if (!kept) writeFileSync(certificateFile, cert, { mode: 0o600 })
  const shown = new X509Certificate(cert)
  return { key: pem(key), cert, pin: pinOf(shown), names: [] }
}

const pem = (key: KeyObject): string => key.export({ format: 'pem', type: 'pkcs8' }).toString()

const keptKey = (path: string): KeyObject =>
  parsed(
    () => createPrivateKey(readFileSync(path)),
    `The gateway's key ${path} is damaged. Remove it to make a new one; every node then needs a new command`,
  )

function makeKey(path: string): KeyObject {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  writeFileSync(path, pem(privateKey), { mode: 0o600 })
  return privateKey
}

/** The certificate itself if it belongs to the key and is valid for long enough; otherwise null. */
function usable(cert: string, key: KeyObject, now: number): string | null {
  try {
    const shown = new X509Certificate(cert)
    const left = Date.parse(shown.validTo) - now
    return shown.checkPrivateKey(key) && left > renewedDays * day ? cert : null
  } catch {
    return null
  }
}

const makeCertificate = (key: KeyObject, now: number): string =>
  selfSignedCertificate({
    key,
    commonName: 'Deckhand gateway',
    names: ['localhost', '127.0.0.1', '::1', hostname(), ...ownAddresses()].filter((name) => /^[\w.:-]+$/.test(name)),
    // A day earlier, for clocks that are behind.
    from: new Date(now - day),
    to: new Date(now + validForDays * day),
  })

const ownAddresses = (): string[] =>
  Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .filter(({ internal, family }) => !internal && family === 'IPv4')
    .map(({ address }) => address)

const namesOf = (certificate: X509Certificate): string[] =>
  (certificate.subjectAltName ?? '')
    .split(', ')
    .flatMap((entry) => /^(?:DNS|IP Address):([\w.:-]+)$/.exec(entry)?.[1]?.toLowerCase() ?? [])

function readText(path: string, what: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    const reason = error instanceof Error && 'code' in error ? ` (${error.code})` : ''
    throw new GatewayError(500, `The ${what} file ${path} cannot be read${reason}`)
  }
}

function parsed<T>(read: () => T, trouble: string): T {
  try {
    return read()
  } catch {
    throw new GatewayError(500, trouble)
  }
}
