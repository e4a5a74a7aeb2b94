import { randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { openInProcessHost } from '../../../nodes/host-link'
import { createLocalNode } from '../../../nodes/local'
import type { ShellStart } from './login-shell'
import type { LoginFiles } from './test-login-files'

/** A home with login files, and this machine with real terminals. */
export function openBench(shell: string, profileName: string) {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'deckhand-login-')))
  const home = join(root, 'home')
  const work = join(root, 'work')
  for (const folder of [home, work]) mkdirSync(folder)
  const env = { HOME: home, PATH: process.env.PATH ?? '', SHELL: shell, KEPT: 'before', TAKEN: 'away', LANG: 'C.UTF-8' }
  const node = createLocalNode({ openHost: openInProcessHost, env })
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(home, path)), { recursive: true })
    writeFileSync(join(home, path), text, { mode: /(?:bin|shims)\//.test(path) ? 0o755 : 0o644 })
  }
  return {
    home,
    work,
    env,
    node,
    folder: join(root, 'kept'),
    write,
    install: ({ profile, files = {} }: LoginFiles) => {
      for (const [path, text] of Object.entries(files)) write(path, text)
      write(profileName, profile)
    },
    /** What a command prints in its terminal, and its exit code. */
    run: async ({ argv, env: extra }: ShellStart): Promise<string> => {
      const id = randomUUID()
      const logPath = join(root, `${id}.log`)
      const started = await node.start({ id, argv, cwd: work, env: extra, tty: { cols: 120, rows: 30 }, logPath })
      const exitCode = await new Promise((resolve) => {
        started.onEvent((event) => event.type === 'exit' && resolve(event.exitCode))
      })
      const printed = existsSync(logPath) ? readFileSync(logPath, 'utf8') : ''
      // The terminal's number depends on what else is open.
      return `${printed.replaceAll(/(\/dev\/\D+)\d+/g, '$1N')}exit ${exitCode}`
    },
    close: async () => {
      await node.close()
      rmSync(root, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}

export type Bench = ReturnType<typeof openBench>
