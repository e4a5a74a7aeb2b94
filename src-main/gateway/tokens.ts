import { createHash, createPublicKey, randomBytes, timingSafeEqual, verify } from 'node:crypto'
import { proofText } from './wire'

/** 256 random bits cannot be guessed, so it is safe to store a plain hash of them. */
export const newToken = (): string => `dhn_${randomBytes(32).toString('base64url')}`

export const newNonce = (): string => randomBytes(24).toString('base64url')

export const hashOf = (token: string): string => createHash('sha256').update(token).digest('hex')

/** Compares in constant time. */
export function sameHash(a: string, b: string): boolean {
  const left = Buffer.from(a, 'hex')
  const right = Buffer.from(b, 'hex')
  return left.length === 32 && right.length === 32 && timingSafeEqual(left, right)
}

/** Whether `proof` was signed with the private key of `key` for the nonce of this socket. */
export function holdsKey(key: string, proof: string, nonce: string, clientId: string): boolean {
  try {
    const publicKey = createPublicKey({ key: Buffer.from(key, 'base64url'), format: 'der', type: 'spki' })
    if (publicKey.asymmetricKeyType !== 'ed25519') return false
    return verify(null, Buffer.from(proofText(nonce, clientId)), publicKey, Buffer.from(proof, 'base64url'))
  } catch {
    // Not a valid key: an unauthenticated client may send anything.
    return false
  }
}
