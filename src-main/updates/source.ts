import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import type { UpdateSource } from './fetch-manifest'

const packageSchema = z.object({ deckhandUpdates: z.object({ url: z.url(), publicKey: z.base64() }) })

/** Where updates of this copy come from, as `npm run package` wrote it down; null for a copy that gets none. */
export function updateSource(appFolder: string): UpdateSource | null {
  try {
    return packageSchema.parse(JSON.parse(readFileSync(join(appFolder, 'package.json'), 'utf8'))).deckhandUpdates
  } catch {
    return null // A checkout, or a package that was built without a place for updates.
  }
}
