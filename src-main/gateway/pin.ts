import { createHash, timingSafeEqual, type X509Certificate } from 'node:crypto'

const pattern = /^sha256:[\w-]{43}$/

/**
 * How a node recognises a gateway whose certificate no authority has signed: by the hash of its public key, which stays
 * the same when the certificate is renewed.
 */
export const pinOf = (certificate: X509Certificate): string =>
  `sha256:${createHash('sha256')
    .update(certificate.publicKey.export({ format: 'der', type: 'spki' }))
    .digest('base64url')}`

export const isPin = (text: string): boolean => pattern.test(text)

export function matchesPin(certificate: X509Certificate, pin: string): boolean {
  const [shown, wanted] = [Buffer.from(pinOf(certificate)), Buffer.from(pin)]
  return shown.length === wanted.length && timingSafeEqual(shown, wanted)
}
