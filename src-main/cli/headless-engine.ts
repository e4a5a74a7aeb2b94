import { existsSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import type { ApprovalMode } from '../../src-preload/contract/sessions'
import { UsageError } from '../arguments'
import { createEngine } from '../compose'
import type { Engine, EngineOptions } from '../engine'
import { openInProcessHost } from '../nodes/host-link'
import { environmentSecrets } from '../settings/secrets'
import { openDataDir } from './data-dir'
import { placeOf } from './place'
import { orStop, type Stopping } from './stopping'

/** The engine for one command: terminals in this very process, the key from the environment, at the place that was named. */
export async function openHeadlessEngine(
  options: Map<string, string>,
  stopping: Stopping,
  interactive = false,
  extra: Pick<EngineOptions, 'overrides' | 'gatewayToken' | 'serves'> = {},
): Promise<Engine> {
  const place = placeOf(options)
  const dataDir = openDataDir(options)
  const limit = options.get('max-iterations')
  let told = false
  const engine = await createEngine({
    dataDir,
    waiting: (words) => {
      if (!told) process.stderr.write(`${words}\n`)
      told = true
    },
    openHost: openInProcessHost,
    secrets: environmentSecrets(process.env),
    interactive,
    ...extra,
    overrides: { ...extra.overrides, ...(limit && { maxIterations: Number(limit) }) },
  })
  stopping.attend(() => engine.table.killAll())
  const say = (note: string) => void process.stderr.write(`deckhand: ${note}\n`)
  for (const note of engine.takeNotes()) say(note)
  engine.subscribe((event) => {
    if (event.type === 'note') say(event.text)
  })
  if (!place) return engine
  try {
    await orStop(stopping.signal, engine.shellNodes.use(place, Boolean(process.stdin.isTTY && process.stderr.isTTY)))
    return engine
  } catch (error) {
    await engine.close()
    throw error
  }
}

/** Ends with bad usage where `--sandbox` asks for what this machine does not have. */
export async function requireSandbox(engine: Engine): Promise<void> {
  const { available, note } = await engine.sandbox.status()
  if (!available) throw new UsageError(`--sandbox: ${note}`)
}

export function workspaceOf(options: Map<string, string>): string {
  const folder = resolve(options.get('workspace') ?? '.')
  if (!existsSync(folder)) throw new UsageError(`--workspace: there is no folder ${folder}`)
  if (!statSync(folder).isDirectory()) throw new UsageError(`--workspace: ${folder} is not a folder`)
  return folder
}

const modes = new Map<string, ApprovalMode>([
  ['ask', 'ask'],
  ['safe', 'safe'],
  ['workspace', 'workspace'],
  ['all', 'all'],
  ['none', 'read-only'],
])

export const modeOf = (options: Map<string, string>): ApprovalMode =>
  modes.get(options.get('approve') ?? 'safe') ?? 'safe'
