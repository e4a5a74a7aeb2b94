import { createPublicKey, verify } from 'node:crypto'
import { z } from 'zod'
import { compareVersions } from './versions'

/** What a release offers, signed as a whole by the key whose public half is in the app. */
const manifestSchema = z.object({
  version: z.string().regex(/^\d+\.\d+\.\d+$/),
  /** When it was signed, in seconds. */
  signedAt: z.number().int().positive(),
  notes: z.string().max(50_000),
  files: z
    .array(
      z.object({
        name: z.string().regex(/^[\w.~+-]{1,200}$/),
        platform: z.enum(['linux', 'win32', 'darwin']),
        arch: z.enum(['x64', 'arm64']),
        size: z.number().int().positive(),
        sha512: z.base64(),
        /** Bytes of the list of its blocks at the end of an AppImage, by which only what differs is fetched. */
        blockMapSize: z.number().int().positive().optional(),
      }),
    )
    .min(1)
    .max(100),
})

export type UpdateManifest = z.infer<typeof manifestSchema>

type RefusalKind = 'unsigned' | 'malformed' | 'older'

/** A manifest that must not be followed. */
class UpdateRefused extends Error {
  override name = 'UpdateRefused'
  constructor(
    readonly kind: RefusalKind,
    message: string,
  ) {
    super(message)
  }
}

/** The newest manifest that was seen so far, so that nobody can offer an old one again. */
export interface Seen {
  version: string
  signedAt: number
}

/**
 * Reads a manifest that came from a server. The signature is over the very bytes: nothing is parsed before it holds.
 * @param publicKey Ed25519, as base64 of its SPKI form.
 */
export function readManifest(bytes: Buffer, signature: string, publicKey: string, seen: Seen): UpdateManifest {
  if (!isSigned(bytes, signature, publicKey))
    throw new UpdateRefused(
      'unsigned',
      'The list of updates is not signed by the makers of this Deckhand, so it was not used.',
    )
  const parsed = manifestSchema.safeParse(jsonOf(bytes))
  if (!parsed.success)
    throw new UpdateRefused('malformed', 'The list of updates is signed, but this version cannot read it.')
  const { version, signedAt } = parsed.data
  if (compareVersions(version, seen.version) < 0 || signedAt < seen.signedAt)
    throw new UpdateRefused(
      'older',
      `The server offers an older list of updates (${version}) than was seen before, so it was not used.`,
    )
  return parsed.data
}

function isSigned(bytes: Buffer, signature: string, publicKey: string): boolean {
  const given = Buffer.from(signature.trim(), 'base64')
  if (given.length !== 64) return false
  const key = createPublicKey({ key: Buffer.from(publicKey, 'base64'), format: 'der', type: 'spki' })
  return key.asymmetricKeyType === 'ed25519' && verify(null, bytes, key, given)
}

function jsonOf(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'))
  } catch {
    return undefined
  }
}
