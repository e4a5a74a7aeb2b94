import { createHmac, timingSafeEqual } from 'node:crypto'

/** Headers of a signed request, in either direction. */
export const timestampHeader = 'x-deckhand-timestamp'
export const signatureHeader = 'x-deckhand-signature'
/** Id of the request, so that the same one is not accepted twice. */
export const idHeader = 'x-deckhand-id'

/** A request whose time differs by more than this is refused, even with a valid signature. */
export const windowMs = 5 * 60_000

/** HMAC SHA-256 over the time, the id and the body, so that none of them can be changed. Time in whole seconds. */
export const sign = (key: string, timestamp: string, id: string, body: Buffer | string): string =>
  `v1=${createHmac('sha256', key).update(`${timestamp}.${id}.`).update(body).digest('hex')}`

type SignatureVerdict = 'fine' | 'missing' | 'stale' | 'wrong'

/** Compares in constant time. */
export const verify = (
  key: string,
  request: { timestamp: string; id: string; signature: string; body: Buffer },
  now: number,
): SignatureVerdict => {
  if (!/^\d{10}$/.test(request.timestamp) || !/^[\w-]{8,100}$/.test(request.id) || request.signature === '')
    return 'missing'
  const expected = Buffer.from(sign(key, request.timestamp, request.id, request.body))
  const given = Buffer.from(request.signature)
  if (expected.length !== given.length || !timingSafeEqual(expected, given)) return 'wrong'
  return Math.abs(now - Number(request.timestamp) * 1000) <= windowMs ? 'fine' : 'stale'
}
