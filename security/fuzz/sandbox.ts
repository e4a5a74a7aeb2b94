import { spawnSync } from 'node:child_process'
import { lstatSync, readdirSync, readlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Ground } from '../gate'

/** A command that the gate let through, with what it wants in the environment. */
export interface Allowed {
  command: string
  env: Readonly<Record<string, string>>
}

export const hasSandbox = (): boolean => spawnSync('bwrap', ['--version'], { stdio: 'ignore' }).status === 0

const runner = `while IFS= read -r -d '' command; do timeout -s KILL 1 bash -c "$command" </dev/null >/dev/null 2>&1; done < "$1"`

/** Runs commands one after the other where they can reach the ground, but nothing else and nobody. */
export function runInSandbox(ground: Ground, list: readonly Allowed[]): void {
  // Outside of what is watched.
  const file = `${ground.root}.commands`
  writeFileSync(file, list.map(({ command }) => `${command}\0`).join(''))
  const env = Object.entries({ ...list[0]?.env, OUT: ground.outside, HOME: ground.home, PATH: process.env.PATH ?? '' })
  const args = [
    ...[
      '--ro-bind',
      '/',
      '/',
      '--dev',
      '/dev',
      '--proc',
      '/proc',
      '--tmpfs',
      '/tmp',
      '--bind',
      ground.root,
      ground.root,
    ],
    ...['--ro-bind', file, file, '--unshare-all', '--die-with-parent', '--new-session', '--clearenv'],
    ...env.flatMap(([name, value]) => ['--setenv', name, value]),
    ...['--chdir', ground.workspace, 'bash', '-c', runner, 'runner', file],
  ]
  const { status, stderr } = spawnSync('bwrap', args, { encoding: 'utf8', timeout: 600_000 })
  if (status === null || /^bwrap:/m.test(stderr)) throw new Error(`The sandbox failed: ${stderr}`)
}

/** All that is there: kinds, rights, sizes, times of change, targets of links. */
export function picture(folder: string): string {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .sort()
    .map((name) => {
      const { mode, size, mtimeMs, nlink } = lstatSync(join(folder, name))
      const target = (mode & 0o170000) === 0o120000 ? readlinkSync(join(folder, name)) : ''
      return `${name} ${mode} ${size} ${mtimeMs} ${nlink} ${target}`
    })
    .join('\n')
}
