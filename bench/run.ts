import { resolve } from 'node:path'
import { openLoader } from './loader.ts'
import type { Row } from './row'

/**
 * Speed, in ratios against peers and limits that are measured in the same run: `npm run bench` for all of it,
 * `npm run bench -- loop start` for parts. Absolute figures tell more about the machine than about the program.
 */

interface Part {
  measure(tell: (line: string) => void): Promise<Row[]>
}

const parts = [
  'loop',
  'shell',
  'start',
  'session',
  'terminal',
  'transfer',
  'memory',
  'ssh',
  'gate',
  'questions',
  'cage',
  'hosted',
]

const asked = process.argv.slice(2)
const unknown = asked.filter((name) => !parts.includes(name))
if (unknown.length > 0) {
  console.error(`There is no part ${unknown.join(', ')}. Parts: ${parts.join(', ')}`)
  process.exit(2)
}

const tell = (line: string): void => console.error(line)
const loadPath = await openLoader()
const load = <Module>(file: string): Promise<Module> => loadPath<Module>(resolve(import.meta.dirname, file))

const { ensureBuilt } = await load<{ ensureBuilt(): Promise<void> }>('../scripts/build.mjs')
await ensureBuilt()
// Windows that come and go are for a display of their own.
if (process.platform === 'linux') {
  const { virtualDisplay } = await load<{ virtualDisplay(): Promise<{ env: NodeJS.ProcessEnv }> }>(
    '../scripts/display.mjs',
  )
  const { env } = await virtualDisplay()
  Object.assign(process.env, { DISPLAY: env.DISPLAY, XAUTHORITY: env.XAUTHORITY, WAYLAND_DISPLAY: '' })
}
const rows: Row[] = []
for (const name of asked.length > 0 ? asked : parts) {
  const { measure } = await load<Part>(`${name}.ts`)
  rows.push(...(await measure(tell)))
}
const { printTable } = await load<typeof import('./row')>('row.ts')
printTable(rows)
process.exit(rows.every(({ met }) => met) ? 0 : 1)
