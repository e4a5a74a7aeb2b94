import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { afterAll, beforeAll } from 'vitest'
import { commandEnv } from '../src-main/nodes/command-env'
import { openShellNode, type Place } from '../src-main/nodes/shell/open-node'
import type { ShellNode } from '../src-main/nodes/shell/shell-node'

/** Places where commands run: all of them real, with a tmux server and a PATH of their own. */
export interface Places {
  home: string
  /** What the programs that lead to a place find. */
  env: Record<string, string>
  open(place: Place, env?: Record<string, string>): Promise<ShellNode>
  /** Where a tmux server has its socket that is not this machine's own. */
  inside: string
  /** A command of the tmux that the places use; `folder` is where its server has its socket. */
  tmux(words: string[], folder?: string): string
  /** A program in front of the real one: it writes down how it was called, then does what `body` says. */
  record(program: string, body: string): () => string[][]
}

export function openPlaces(): Places {
  const places = {} as Places
  const opened: ShellNode[] = []
  const path = process.env.PATH

  beforeAll(() => {
    const home = mkdtempSync(join(tmpdir(), 'deckhand-places-'))
    const [bin, inside] = [join(home, 'bin'), join(home, 'inside')]
    for (const folder of [bin, inside]) mkdirSync(folder)
    // The process table starts programs with the PATH of this process.
    process.env.PATH = `${bin}${delimiter}${path}`
    // A login shell begins with a PATH of its own.
    writeFileSync(join(home, '.profile'), `PATH='${bin}':$PATH\n`)
    const env = commandEnv(process.env, { HOME: home, TMUX_TMPDIR: home, SHELL: '/bin/sh', PATH: process.env.PATH })
    Object.assign(places, { home, inside, env })
  })
  afterAll(async () => {
    for (const each of opened.splice(0)) await each.close()
    for (const folder of [places.home, places.inside]) {
      spawnSync(realPath('tmux'), ['kill-server'], { env: { ...places.env, TMUX_TMPDIR: folder } })
    }
    process.env.PATH = path
    rmSync(places.home, { recursive: true, force: true, maxRetries: 5 })
  })

  places.open = async (place, env = {}) => {
    const backend = await openShellNode(place, { id: 'local', env: { ...places.env, ...env } })
    opened.push(backend)
    return backend
  }
  places.tmux = (words, folder = places.home) => {
    const env = { ...places.env, TMUX_TMPDIR: folder }
    return execFileSync(realPath('tmux'), ['-u', ...words], { env, encoding: 'utf8' })
  }
  places.record = (program, body) => {
    const calls = join(places.home, `${program}.calls`)
    const file = join(places.home, 'bin', program)
    writeFileSync(file, `#!/bin/sh\n{ printf '%s\\037' "$@"; printf '\\036'; } >>'${calls}'\n${body}\n`)
    chmodSync(file, 0o755)
    return () => (existsSync(calls) ? readFileSync(calls, 'utf8') : '').split('\x1e').filter(Boolean).map(wordsOf)
  }
  return places
}

const wordsOf = (call: string): string[] => call.split('\x1f').slice(0, -1)

const outsidePath = process.env.PATH

/** Where a program itself is, for a body that goes on to it; empty where there is none. */
export const realPath = (program: string): string =>
  spawnSync('/bin/sh', ['-c', `command -v ${program}`], {
    encoding: 'utf8',
    env: { PATH: outsidePath },
  }).stdout.trim()
