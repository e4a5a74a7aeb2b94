import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { readManifest, type Seen, type UpdateManifest } from './manifest'

/** Where updates of this copy come from: written into a package when it is built. */
export interface UpdateSource {
  url: string
  publicKey: string
}

const manifestName = 'deckhand-updates.json'
const largestManifest = 500_000
const withinMs = 20_000

export interface Looking {
  dataDir: string
  current: string
  signal?: AbortSignal
  /** How requests leave this machine. */
  fetch?: typeof fetch
}

/** The signed list of the newest release. What was seen is kept, and nothing older is followed from then on. */
export async function fetchManifest(
  { url, publicKey }: UpdateSource,
  { dataDir, current, signal, fetch: fetchBy = fetch }: Looking,
): Promise<UpdateManifest> {
  const base = url.endsWith('/') ? url : `${url}/`
  const [bytes, signature] = await Promise.all([
    bytesOf(new URL(manifestName, base), fetchBy, signal),
    bytesOf(new URL(`${manifestName}.sig`, base), fetchBy, signal),
  ])
  const seen = readSeen(dataDir, current)
  const manifest = readManifest(bytes, signature.toString('utf8'), publicKey, seen)
  writeSeen(dataDir, manifest)
  return manifest
}

async function bytesOf(address: URL, fetchBy: typeof fetch, signal: AbortSignal | undefined): Promise<Buffer> {
  const limit = AbortSignal.timeout(withinMs)
  const response = await fetchBy(address, {
    signal: signal ? AbortSignal.any([signal, limit]) : limit,
    redirect: 'error',
    cache: 'no-store',
  })
  if (!response.ok || !response.body) throw new Error(`The server of the updates answered with ${response.status}`)
  const parts: Uint8Array[] = []
  let size = 0
  for await (const part of response.body) {
    size += part.length
    if (size > largestManifest) throw new Error('The list of updates is too long')
    parts.push(part)
  }
  return Buffer.concat(parts)
}

const seenSchema = z.object({ version: z.string(), signedAt: z.number() })
const seenFile = (dataDir: string): string => join(dataDir, 'updates-seen.json')

function readSeen(dataDir: string, current: string): Seen {
  try {
    return seenSchema.parse(JSON.parse(readFileSync(seenFile(dataDir), 'utf8')))
  } catch {
    return { version: current, signedAt: 0 } // The first look, or a file that was spoilt.
  }
}

function writeSeen(dataDir: string, { version, signedAt }: Seen): void {
  const file = seenFile(dataDir)
  writeFileSync(`${file}.new`, JSON.stringify({ version, signedAt }), { mode: 0o600 })
  renameSync(`${file}.new`, file)
}
