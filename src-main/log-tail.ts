import { createReadStream } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

/** The last lines of the app's own log, oldest first, also where they are spread over several files. */
export async function readLogTail(dataDir: string, count: number): Promise<{ lines: string[]; truncated: boolean }> {
  const folder = join(dataDir, 'logs')
  // deckhand.log is the latest; the higher its number, the older a file is.
  const names = (await readdir(folder)).filter((name) => /^deckhand\.log(?:\.\d+)?$/.test(name)).sort()
  let lines: string[] = []
  let dropped = false
  for (const [index, name] of names.entries()) {
    const older: string[] = []
    for await (const line of createInterface({ input: createReadStream(join(folder, name)) })) {
      if (line !== '') older.push(line)
      if (older.length + lines.length > count && older.shift() !== undefined) dropped = true
    }
    lines = [...older, ...lines]
    if (lines.length >= count) return { lines, truncated: dropped || index < names.length - 1 }
  }
  return { lines, truncated: dropped }
}
