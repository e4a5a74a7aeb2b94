import { execFileSync } from 'node:child_process'
import { chmodSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** An empty folder for a test, without links in its path. */
export const makeFolder = (name: string): string => realpathSync(mkdtempSync(join(tmpdir(), `deckhand-${name}-`)))

/** Tries again while processes that have just ended still write into it. */
export const removeFolder = (folder: string): void => rmSync(folder, { recursive: true, force: true, maxRetries: 5 })

/** A shell script that can be run by its path. */
export const writeProgram = (path: string, body: string): void => {
  writeFileSync(path, `#!/bin/sh\n${body}\n`)
  chmodSync(path, 0o755)
}

/** What a real git says there, as a user without settings of their own. */
export const gitIn = (cwd: string, home: string, args: readonly string[]): string =>
  execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], {
    cwd,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
    env: { PATH: process.env.PATH ?? '', HOME: home, GIT_CONFIG_NOSYSTEM: '1' },
  }).trim()
