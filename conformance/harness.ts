import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, it } from 'vitest'
import type { Access } from '../src-main/approval/types'
import { capabilityTools } from '../src-main/gateway/runtime'
import { openInProcessHost } from '../src-main/nodes/host-link'
import { createLocalNode } from '../src-main/nodes/local'
import { createProcessTable, type ProcessTable } from '../src-main/nodes/process-table'
import { createNodeRegistry, type NodeRegistry } from '../src-main/nodes/registry'
import type { CallOutcome } from '../src-main/tools/call-outcome'
import { dispatch } from '../src-main/tools/dispatch'
import type { CallGate } from '../src-main/tools/permission'
import { definitionsOf, type ToolDefinition, type Toolset } from '../src-main/tools/tool'
import { createToolset } from '../src-main/toolsets'
import type { SomeToolsetDeps } from '../src-main/toolsets/deps'
import type { GatewayInfo } from '../src-preload/contract/nodes'
import type { ProcessInfo } from '../src-preload/contract/processes'

/** A way to say the seven tools of the first seed; more vocabularies join by a row of their own. */
export interface Vocabulary {
  label: string
  create(deps: SomeToolsetDeps): Toolset
  name(tool: string): string
}

export const vocabularies: Vocabulary[] = [
  { label: 'deckhand', create: (deps) => createToolset('deckhand', deps), name: (tool) => tool },
  {
    label: 'gsv',
    create: (deps) => createToolset('gsv', { ...deps, registry: thisMachine('laptop') }),
    name: (tool) => `laptop__${tool}`,
  },
]

/** A registry that contains only this machine. */
function thisMachine(name: string): NodeRegistry {
  const nobody = { nodes: () => [], info: () => ({}) as GatewayInfo, onChange: () => () => {} }
  const info = () => ({ os: 'linux' as const, hostname: name, envKeys: [], shell: '/bin/sh' })
  return createNodeRegistry({
    gateway: nobody,
    settings: () => ({ nodeName: name, primaryNode: '' }),
    local: {
      info,
      workspace: () => '/',
      tools: Object.values(capabilityTools).flat(),
      capabilities: [],
      running: () => 0,
    },
    idFromHostname: (hostname) => hostname,
    version: '0',
    startedAt: 0,
  })
}

export type Json = Record<string, unknown>

export interface Bench {
  workspace: string
  /** A folder beside the workspace. */
  outside: string
  table: ProcessTable
  accesses: Access[]
  /** Moves the clock of the table and of the tools. */
  advance(ms: number): void
  now(): number
  definition(tool: string): ToolDefinition | undefined
  call(tool: string, args: unknown, options?: { signal?: AbortSignal; sessionId?: string }): Promise<CallOutcome>
  /** The result of a call that works, as the JSON object that the model reads. */
  ok(tool: string, args: unknown): Promise<Json>
  /** The message of a call that fails. */
  error(tool: string, args: unknown): Promise<string>
}

export const sessionId = 'session'

// A login shell reads the tester's own profile, which may take a second; what it says is not our subject.
process.env.SHELL = '/bin/sh'

/** Real processes and real files behind the real path of every call; only the gate lets everything through. */
export function openBench(vocabulary: Vocabulary): Bench {
  const bench = {} as Bench
  let root = ''

  beforeAll(() => {
    root = mkdtempSync(join(tmpdir(), 'deckhand-conformance-'))
    // Tests about rights give up root's, and still have to get here.
    chmodSync(root, 0o755)
    Object.assign(bench, build(vocabulary, root))
  })
  afterAll(async () => {
    await bench.table.close()
    rmSync(root, { recursive: true, force: true })
  })
  return bench
}

function build(vocabulary: Vocabulary, root: string): Bench {
  const workspace = join(root, 'workspace')
  const outside = join(root, 'outside')
  mkdirSync(workspace)
  mkdirSync(outside)
  let shift = 0
  const clock = (): number => Date.now() + shift
  const rows = new Map<string, ProcessInfo>()
  const table = createProcessTable({
    nodes: [createLocalNode({ openHost: openInProcessHost })],
    logDir: join(root, 'logs'),
    save: (row) => void rows.set(row.id, row),
    load: () => [],
    publish: () => {},
    clock,
  })
  const toolset = vocabulary.create({ table, clock, setTodo: () => {} })
  const accesses: Access[] = []
  const gate: CallGate = {
    mode: 'all',
    decide(access) {
      accesses.push(access)
      const nothing = { subCommands: [], ruleIds: [], offers: [], resources: [], targets: [] }
      return { verdict: 'allow', reason: 'everything is allowed', follow: 'anywhere', ...nothing }
    },
    ask: () => Promise.reject(new Error('Nothing should ask')),
  }
  const sink = { gist: () => {}, grant: () => {}, state: () => {} }
  const limits = { maxResultBytes: 4_000_000, spillDir: join(root, 'spill') }
  let calls = 0

  const call: Bench['call'] = (tool, args, options = {}) =>
    dispatch(
      { toolset, name: vocabulary.name(tool), arguments: args },
      {
        sessionId: options.sessionId ?? sessionId,
        callId: `call-${++calls}`,
        workspace,
        signal: options.signal ?? new AbortController().signal,
      },
      gate,
      sink,
      limits,
    )

  return {
    workspace,
    outside,
    table,
    accesses,
    advance: (ms) => {
      shift += ms
    },
    now: clock,
    definition: (tool) => definitionsOf(toolset).find(({ name }) => name === vocabulary.name(tool)),
    call,
    async ok(tool, args) {
      const outcome = await call(tool, args)
      const [first] = outcome.content
      if (outcome.isError || first?.type !== 'text') throw new Error(`${tool} failed: ${JSON.stringify(outcome)}`)
      return JSON.parse(first.text)
    },
    async error(tool, args) {
      const outcome = await call(tool, args)
      if (!outcome.isError || !outcome.error)
        throw new Error(`${tool} did not fail: ${JSON.stringify(outcome.content)}`)
      return outcome.error.message
    },
  }
}

/** Several lines of the checklist that one look decides: each has a test of its own, and the look happens once. */
export function decides(ids: string, title: string, look: () => Promise<void>): void {
  let looked: Promise<void> | undefined
  for (const id of ids.split(' ')) {
    it(`${id} ${title}`, () => {
      looked ??= look()
      return looked
    })
  }
}

/** Root may read everything, so what is about rights runs as nobody. */
export async function withoutRoot<T>(work: () => Promise<T>): Promise<T> {
  if (process.geteuid?.() !== 0) return work()
  process.seteuid?.(65534)
  try {
    return await work()
  } finally {
    process.seteuid?.(0)
  }
}

export async function until(check: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = Date.now() + 30_000
  while (!(await check())) {
    if (Date.now() > deadline) throw new Error('It did not happen in time')
    await new Promise((resolve) => setTimeout(resolve, 15))
  }
}
