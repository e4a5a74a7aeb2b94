import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { atMost, median, milliseconds, type Row } from './row'
import { bareApp, inWindow, ourApp } from './window'

const rounds = 7

/** From launch to a key in the composer, beside a window with nothing but a field to type into. */
export async function measure(tell: (line: string) => void): Promise<Row[]> {
  const folders = {
    ours: mkdtempSync(join(tmpdir(), 'deckhand-bench-')),
    bare: mkdtempSync(join(tmpdir(), 'deckhand-bench-')),
  }
  try {
    const ours: number[] = []
    const bare: number[] = []
    // The first start of all reads files that no later one has to.
    for (let round = 0; round <= rounds; round++) {
      const both = { bare: await launch(bareApp, folders.bare), ours: await launch(ourApp, folders.ours) }
      if (round === 0) continue
      bare.push(both.bare)
      ours.push(both.ours)
      tell(`start, round ${round}: deckhand ${milliseconds(both.ours)}, bare window ${milliseconds(both.bare)}`)
    }
    return [atMost('launch to composer, beside a bare window', median(ours), median(bare), 1.5, milliseconds)]
  } finally {
    for (const folder of Object.values(folders)) rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  }
}

async function launch(app: string, folder: string): Promise<number> {
  const began = Date.now()
  return (await inWindow<number>(app, folder, { name: 'start' })) - began
}
