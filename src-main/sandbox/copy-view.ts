import { constants } from 'node:fs'
import { cp } from 'node:fs/promises'
import { join } from 'node:path'
import { diffEntries } from '../changes/diff'
import { type Entry, type Scan, scan } from '../changes/scan'
import { makeTemporaryFolder } from '../temporary'
import { imageAt, removeScratch, TooLarge, type View, type ViewLimits } from './view'

const scanMs = 10_000

/**
 * For kernels without overlays for this user: a copy of the whole workspace, which shares blocks if the disk supports
 * it.
 */
export async function openCopy(workspace: string, limits: ViewLimits): Promise<View> {
  const before = await whole(workspace, limits)
  const scratch = makeTemporaryFolder('trial')
  const folder = join(scratch, 'copy')
  const close = async (): Promise<void> => removeScratch(scratch)
  try {
    await cp(workspace, folder, {
      recursive: true,
      mode: constants.COPYFILE_FICLONE,
      verbatimSymlinks: true,
      preserveTimestamps: true,
      filter: (source) => before.entries.get(source.slice(workspace.length + 1))?.kind !== 'other',
    })
  } catch (error) {
    await close()
    throw error
  }
  const copied = await whole(folder, limits)

  return {
    folder,
    enter: (argv) => argv,
    identity: [],
    size: async () => sizeOf(await whole(folder, { ...limits, maxBytes: Number.POSITIVE_INFINITY })) - sizeOf(copied),
    changes: async () => {
      const after = await whole(folder, { ...limits, maxBytes: Number.POSITIVE_INFINITY })
      const touched = diffEntries(copied.entries, after.entries)
      return touched.map(({ path, after: now }) => ({ path, before: before.entries.get(path) ?? null, after: now }))
    },
    image: (path) => imageAt(folder, path),
    close,
  }
}

async function whole(folder: string, { maxEntries, maxBytes }: ViewLimits): Promise<Scan> {
  const found = await scan(folder, { maxEntries, maxMs: scanMs, isSealed: () => false })
  if (found.cut) throw new TooLarge(`The workspace has more than ${maxEntries} files`)
  if (sizeOf(found) > maxBytes) throw new TooLarge(`The workspace is larger than ${Math.round(maxBytes / 2 ** 20)} MB`)
  return found
}

const sizeOf = ({ entries }: { entries: ReadonlyMap<string, Entry> }): number => {
  let bytes = 0
  for (const { kind, size } of entries.values()) if (kind === 'file') bytes += size
  return bytes
}
