import { existsSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { recoveryWords } from '../../src-preload/contract/recovery'
import type { ApprovalMode } from '../../src-preload/contract/sessions'
import { UsageError } from '../arguments'
import { createEngine } from '../compose'
import type { Engine, EngineOptions } from '../engine'
import { openInProcessHost } from '../nodes/host-link'
import { environmentSecrets } from '../settings/secrets'
import { untilAborted } from '../tools/until-aborted'
import { dataDirOf } from './data-dir'
import { nodeWaitMs, placeOf } from './place'
import type { Stopping } from './stopping'

/** The engine for one command: terminals in this very process, the key from the environment, at the place that was named. */
export async function openHeadlessEngine(
  options: Map<string, string>,
  stopping: Stopping,
  interactive = false,
  extra: Pick<EngineOptions, 'overrides' | 'gatewayToken' | 'serves'> = {},
): Promise<Engine> {
  const place = placeOf(options)
  const dataDir = dataDirOf(options)
  const limit = options.get('max-iterations')
  const runCap = { dollars: Number(options.get('max-cost') ?? 0), tokens: Number(options.get('max-tokens') ?? 0) }
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
    ...((runCap.dollars > 0 || runCap.tokens > 0) && { runCap }),
    ...extra,
    overrides: { ...extra.overrides, ...(limit && { maxIterations: Number(limit) }) },
  })
  stopping.attend(() => {
    engine.table.killAll()
    engine.hosts.killAll()
  })
  const say = (note: string) => void process.stderr.write(`deckhand: ${note}\n`)
  for (const note of [...engine.takeNotes().map(({ text }) => text), ...recoveryNotes(engine)]) say(note)
  engine.subscribe((event) => {
    if (event.type === 'note') say(event.text)
  })
  const onTerminal = Boolean(process.stdin.isTTY && process.stderr.isTTY)
  const node = options.get('node')
  try {
    if (place) await untilAborted(engine.shellNodes.use(place, onTerminal), stopping.signal)
    if (node !== undefined)
      await untilAborted(workOnNode(engine, node, options.get('toolset'), stopping.signal), stopping.signal)
    else if (!extra.serves) await untilAborted(engine.nodes.join(), stopping.signal)
    return engine
  } catch (error) {
    await engine.close()
    throw error
  }
}

/** Where `--node` leads: an ssh host, container or tmux that was added, or a machine that connects to the gateway. */
async function workOnNode(
  { shellNodes, nodes }: Engine,
  name: string,
  toolset: string | undefined,
  signal: AbortSignal,
): Promise<void> {
  const known = nodes.registry.list().filter(({ local }) => !local)
  if (!known.some(({ id }) => id === name)) {
    const names = known.length > 0 ? `Known: ${known.map(({ id }) => id).join(', ')}` : 'None added yet'
    throw new UsageError(`--node: no node named ${name}. ${names}`)
  }
  if (!shellNodes.isKept(name)) {
    if (toolset === 'buddy')
      throw new UsageError(
        '--node: the buddy tools work on SSH hosts, containers and tmux, not on a machine that connects to you',
      )
    process.stderr.write(`deckhand: waiting for node ${name}\n`)
    if (!(await nodes.untilConnected(name, nodeWaitMs, signal)))
      throw new Error(
        `Node ${name} did not connect within ${nodeWaitMs / 1000} seconds. Is \`deckhand node\` running there?`,
      )
  }
  await shellNodes.choose(name, Boolean(process.stdin.isTTY && process.stderr.isTTY))
}

function recoveryNotes(engine: Engine): string[] {
  const recovery = engine.takeRecovery()
  if (!recovery) return []
  return [...recoveryWords(recovery), ...(recovery.backup ? ['Run deckhand recover --yes to restore them.'] : [])]
}

/** Ends with bad usage where `--sandbox` asks for what this machine does not have. */
export async function requireSandbox(engine: Engine): Promise<void> {
  const { available, note } = await engine.sandbox.status()
  if (!available) throw new UsageError(`--sandbox: ${note}`)
}

export function workspaceOf(options: Map<string, string>): string {
  const folder = resolve(options.get('workspace') ?? '.')
  if (!existsSync(folder)) throw new UsageError(`--workspace: folder not found: ${folder}`)
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
