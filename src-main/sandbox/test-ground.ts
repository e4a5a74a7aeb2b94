import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { userInfo } from 'node:os'
import { dirname, join } from 'node:path'
import type { SandboxStatus } from '../../src-preload/contract/sandbox'
import { createSandbox, type Sandbox, type SandboxOptions } from './sandbox'

/** A home with secrets in it, a workspace and something beside both, as real files. */
export interface Ground {
  root: string
  home: string
  workspace: string
  outside: string
  dataDir: string
  sandbox: Sandbox
  write(path: string, text: string): void
  /** Runs a script inside, as one command of a session. */
  run(script: string): Promise<{ code: number | null; output: string; blocked: string | null }>
  remove(): Promise<void>
}

/**
 * A new folder outside the temporary files: the sandbox replaces those, so a leak there would not show. `apart`: not in
 * this repository either, all of which a workspace in it may see.
 */
export function makeSeenFolder(prefix: string, apart = false): string {
  const here = join(import.meta.dirname, '..', '..', 'test-results')
  const elsewhere = apart || /^\/(?:var\/)?tmp\//.test(here)
  const base = elsewhere ? join(userInfo().homedir, '.cache', 'deckhand-test-results') : here
  mkdirSync(base, { recursive: true })
  return realpathSync(mkdtempSync(join(base, prefix)))
}

/** Whether there is a sandbox on this machine. */
export async function sandboxHere(): Promise<SandboxStatus> {
  const sandbox = createSandbox({ home: '/', own: [], hosts: () => [] })
  const status = await sandbox.status()
  await sandbox.close()
  return status
}

export function createGround(more: Partial<SandboxOptions> = {}): Ground {
  const root = makeSeenFolder('sandbox-')
  const [home, workspace, outside] = [join(root, 'home/me'), join(root, 'home/me/project'), join(root, 'elsewhere')]
  const dataDir = join(home, '.config/deckhand')
  const write = (path: string, text: string): void => {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  for (const folder of [workspace, outside, dataDir]) mkdirSync(folder, { recursive: true })
  write('home/me/.ssh/id_ed25519', 'SECRET KEY')
  write('home/me/.aws/credentials', 'SECRET KEY')
  write('home/me/.config/gh/hosts.yml', 'SECRET KEY')
  write('home/me/.claude/settings.json', 'SECRET KEY')
  write('home/me/.netrc', 'SECRET KEY')
  write('home/me/notes.txt', 'an ordinary file')
  write('home/other/private.txt', 'SECRET KEY')
  write('home/me/.config/deckhand/deckhand.db', 'SECRET KEY')
  write('home/me/project/.env', 'SECRET KEY')
  write('home/me/project/src/app.ts', 'export const app = 1\n')
  write('elsewhere/plain.txt', 'outside\n')
  const sandbox = createSandbox({ home, own: [dataDir], hosts: () => [], ...more })
  return {
    root,
    home,
    workspace,
    outside,
    dataDir,
    sandbox,
    write,
    run: async (script) => {
      const sandboxed = await sandbox.enter({ id: 'session', workspace })
      if (!sandboxed) throw new Error('There is no sandbox here')
      const start = { argv: ['/bin/sh', '-c', script], cwd: workspace, tty: false } as const
      const [file, ...args] = (await sandboxed.place(start)).argv
      const child = spawn(file, args, { env: { ...process.env, HOME: home, LC_ALL: 'C' }, detached: true })
      let output = ''
      for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk))
      child.stdin.end()
      const code = await new Promise<number | null>((resolve) => child.on('close', resolve))
      return { code, output, blocked: code === 0 ? null : (sandboxed.explain(output)?.text ?? null) }
    },
    remove: async () => {
      await sandbox.close()
      rmSync(root, { recursive: true, force: true })
    },
  }
}
