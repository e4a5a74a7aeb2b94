import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { openLoader } from '../bench/loader.ts'
import type { Row } from '../bench/row'
import type { Part } from './part'

/**
 * Runs the program for a long time and looks for what grows or gets lost: `npm run soak` for all of it,
 * `npm run soak -- commands --count 5000` or `-- window --minutes 2` for a part. Not a part of `npm test`.
 */

const parts = ['commands', 'window', 'locked', 'nodes']
const usage = `npm run soak -- [${parts.join('|')} …] [--count N] [--minutes N]`

const { asked, count, minutes } = readArguments()
const tell = (line: string): void => console.error(line)
const loadPath = await openLoader()
const load = <Module>(file: string): Promise<Module> => loadPath<Module>(resolve(import.meta.dirname, file))

const chosen = asked.length > 0 ? asked : parts
if (chosen.some((name) => name !== 'commands' && name !== 'nodes')) await ensureBuilt()
if (chosen.includes('window')) await openDisplay()
const rows: Row[] = []
for (const name of chosen) {
  const { measure } = await load<Part>(`${name}.ts`)
  rows.push(...(await measure(tell, { count, minutes })))
}
const { printTable } = await load<typeof import('../bench/row')>('../bench/row.ts')
printTable(rows)
process.exit(rows.every(({ met }) => met) ? 0 : 1)

async function ensureBuilt(): Promise<void> {
  const { ensureBuilt } = await load<{ ensureBuilt(): Promise<void> }>('../scripts/build.mjs')
  await ensureBuilt()
}

/** Windows are shown on a display of their own. */
async function openDisplay(): Promise<void> {
  if (process.platform !== 'linux') return
  const { virtualDisplay } = await load<{ virtualDisplay(): Promise<{ env: NodeJS.ProcessEnv }> }>(
    '../scripts/display.mjs',
  )
  const { env } = await virtualDisplay()
  Object.assign(process.env, { DISPLAY: env.DISPLAY, XAUTHORITY: env.XAUTHORITY, WAYLAND_DISPLAY: '' })
}

function readArguments(): { asked: string[]; count: number | null; minutes: number | null } {
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: { count: { type: 'string' }, commands: { type: 'string' }, minutes: { type: 'string' } },
    })
    const unknown = positionals.filter((name) => !parts.includes(name))
    if (unknown.length > 0) throw new Error(`There is no part ${unknown.join(', ')}`)
    const number = (text: string | undefined): number | null => {
      if (text === undefined) return null
      if (!(Number(text) > 0)) throw new Error(`${text} is not a number above 0`)
      return Number(text)
    }
    return {
      asked: positionals,
      count: number(values.count ?? values.commands),
      minutes: number(values.minutes),
    }
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : error}\n${usage}`)
    process.exit(2)
  }
}
