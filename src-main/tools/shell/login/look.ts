import { randomUUID } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { usualTerminalSize } from '../../../../src-preload/contract/terminal'
import type { Node } from '../../../nodes/node'

/** Where looks run: a node that starts programs in terminals, its variables, and a folder for their output. */
export interface LookPlace {
  node: Pick<Node, 'start'>
  folder: string
  /** How long login files may take. */
  patienceMs?: number
}

const patienceMs = 20_000
const longest = 16 * 1024 * 1024

export interface Looked {
  /** What its command wrote into the file. */
  text: string
  /** Whether it printed anything into its terminal. */
  printed: boolean
}

/**
 * Runs a shell in a terminal, as for the agent's commands, and reads what it wrote into `file`. Null if it took too
 * long, could not be started, or wrote nothing.
 */
export async function look(
  place: LookPlace,
  {
    argv,
    cwd,
    env,
    file,
  }: { argv: readonly [string, ...string[]]; cwd: string; env: Record<string, string>; file: string },
): Promise<Looked | null> {
  const id = randomUUID()
  const logPath = join(place.folder, `${id}.log`)
  const running = await place.node.start({ id, argv, cwd, env, tty: usualTerminalSize, logPath })
  const ended = await new Promise<boolean>((resolve) => {
    const limit = setTimeout(() => {
      running.signal('SIGKILL')
      resolve(false)
    }, place.patienceMs ?? patienceMs)
    running.onEvent((event) => {
      if (event.type !== 'exit' && event.type !== 'lost') return
      clearTimeout(limit)
      resolve(event.type === 'exit' && event.exitCode === 0)
    })
  })
  if (!ended) return null
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0
  if (size === 0 || size > longest) return null
  return { text: readFileSync(file, 'utf8'), printed: (statSync(logPath, { throwIfNoEntry: false })?.size ?? 0) > 0 }
}
