import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const vite = join(import.meta.dirname, '../../node_modules/vite/dist/node/index.js')

/** Opens terminals until there are no more, which a limit on open files brings about soon. */
const program = `
  const { runnerImport } = await import(${JSON.stringify(vite)})
  const { module } = await runnerImport(${JSON.stringify(join(import.meta.dirname, 'native-pty.ts'))})
  const { openSync } = await import('node:fs')
  const tell = (work) => { try { for (;;) work() } catch (error) { console.log(error.message) } }
  const size = { cols: 80, rows: 24 }
  module.openTerminal(size)
  try { for (;;) openSync('/dev/null') } catch {}
  tell(() => module.openTerminal(size))
  tell(() => module.forkTerminal({ argv: ['/bin/true'], cwd: '/', env: {} }, size))
`

it.runIf(process.platform === 'linux')('says in plain words that there are no more terminals', () => {
  const run = spawnSync(
    '/bin/sh',
    ['-c', 'ulimit -n 200; exec "$0" --input-type=module -e "$1"', process.execPath, program],
    { encoding: 'utf8', timeout: 30_000 },
  )
  const words = 'The system cannot open any more terminals. End some of the programs that run, then try again'
  expect(run.stdout.trim().split('\n')).toEqual([words, words])
})
