import type { BackendPlace, BackendQuestion } from '../../src-preload/contract/backends'
import type { NodeInfo } from '../../src-preload/contract/nodes'
import type { Logger } from '../log'
import { openAskpass } from '../nodes/askpass'
import type { Backend } from '../nodes/backend'
import type { LocalNode } from '../nodes/local'
import { localBackend, type OpenBackend, openBackend } from '../nodes/open-backend'
import type { ProcessTable } from '../nodes/process-table'
import type { Asking } from '../nodes/ssh'
import type { BackendRow, BackendRows } from './backend-rows'
import { type ConnectedBackend, connectBackend } from './connect-backend'
import { findChoices } from './find-choices'
import { freeId, nodeInfoOf } from './node-info'
import { probePrograms } from './probe-programs'
import { createSshQuestions } from './ssh-questions'

export type { ConnectedBackend }

interface Entry {
  row: BackendRow
  /** Is a node; one that is being added becomes one when it has answered. */
  kept: boolean
  open: ConnectedBackend | null
  opening: Promise<ConnectedBackend> | null
  problem: string | null
  connectedAt: number | null
  timer: NodeJS.Timeout | null
  /** To come back, in vain. */
  tries: number
}

export interface BackendsOptions {
  rows: BackendRows
  log: Logger
  table: ProcessTable
  localNode: LocalNode
  /** For the programs that lead to places. */
  env: Readonly<Record<string, string>>
  version: string
  tools: readonly string[]
  capabilities: readonly string[]
  /** Why this cannot be the name of a new node, or `null`. */
  idTrouble(id: string): string | null
  announceQuestions(questions: BackendQuestion[]): void
  /** The node that the user chose for what names none. */
  primary(): string
}

export type Backends = ReturnType<typeof createBackends>

/** Before the next attempt to come back. */
const retriesMs = [15_000, 60_000, 240_000]
/** What goes down at once is looked after at once. */
const settleMs = 200

/** Places that programs of this machine lead to, as nodes: kept, connected, found again at the next start. */
export function createBackends(options: BackendsOptions) {
  const { rows, log, table, localNode, env } = options
  const entries = new Map<string, Entry>()
  const listeners = new Set<() => void>()
  const questions = createSshQuestions(options.announceQuestions)
  const here = localBackend({ node: 'local', env })
  let chosen: OpenBackend | null = null
  const closing = new AbortController()
  for (const row of rows.list()) entries.set(row.id, newEntry(row))

  const changed = (): void => {
    for (const listener of listeners) listener()
  }
  const kept = (): Entry[] => [...entries.values()].filter((entry) => entry.kept)
  const find = (id: string): Entry => {
    const entry = entries.get(id)
    if (!entry) throw new Error(`There is no node ${id}`)
    return entry
  }

  const open = ({ id, place }: BackendRow, ask: boolean): Promise<ConnectedBackend> =>
    connectBackend(place, {
      ...{ node: id, env, localNode, passing: false, signal: closing.signal },
      ...(ask && { asking: () => openAskpass((question) => questions.ask(id, question)) }),
      onOutOfReach: (processId) => outOfReach(id, processId),
    })

  const connect = (entry: Entry, ask: boolean): Promise<ConnectedBackend> => {
    if (entry.open) return Promise.resolve(entry.open)
    entry.opening ??= open(entry.row, ask)
      .then(async (connected) => {
        if (closing.signal.aborted || entries.get(entry.row.id) !== entry) {
          await connected.close()
          throw new Error('It was removed meanwhile')
        }
        Object.assign(entry, { open: connected, problem: null, connectedAt: Date.now(), tries: 0 })
        if (!entry.row.wanted) rows.save(Object.assign(entry.row, { wanted: true }))
        await resume(entry.row.id, connected)
        return connected
      })
      .catch((error: Error) => {
        entry.problem = error.message
        throw error
      })
      .finally(() => {
        entry.opening = null
        questions.drop(entry.row.id)
        changed()
      })
    changed()
    return entry.opening
  }

  /** Takes up the terminals that went on there. */
  const resume = async (id: string, connected: ConnectedBackend): Promise<void> => {
    for (const row of table.list()) {
      if (row.node !== id || row.status !== 'running' || row.link !== 'down') continue
      const found = await connected.resume({ id: row.id, pid: row.pid, logPath: table.logPath(row.id) })
      if (found) table.adopt(row, found)
      else table.lose(row.id)
    }
  }

  const later = (entry: Entry, ms: number, work: () => Promise<unknown>): void => {
    if (closing.signal.aborted || entries.get(entry.row.id) !== entry) return
    entry.timer ??= setTimeout(() => {
      entry.timer = null
      work().catch((error: unknown) => log.warn('A node is out of reach', { node: entry.row.id, error }))
    }, ms)
  }

  /** The connection may be gone, or only what followed this process. */
  const outOfReach = (id: string, processId: string): void => {
    table.detach(processId)
    const entry = entries.get(id)
    if (entry) later(entry, settleMs, () => comeBack(entry))
  }

  const comeBack = async (entry: Entry): Promise<void> => {
    if (!entry.open) return
    if (await entry.open.backend.reach.check()) return resume(entry.row.id, entry.open)
    await shut(entry, 'The connection was lost')
    await reconnect(entry)
  }

  /** Without questions, since nobody asked for it now; and not for ever, since a host may take that for an attack. */
  const reconnect = async (entry: Entry): Promise<void> => {
    if (entry.open || !entry.row.wanted) return
    try {
      await connect(entry, false)
    } catch (error) {
      const wait = retriesMs[entry.tries]
      entry.tries++
      if (wait !== undefined) later(entry, wait, () => reconnect(entry))
      throw error
    }
  }

  const shut = async (entry: Entry, problem: string | null): Promise<void> => {
    const { open: connected } = entry
    Object.assign(entry, { open: null, problem, connectedAt: null })
    if (connected) {
      for (const row of table.list()) if (row.node === entry.row.id && row.link) table.detach(row.id)
      await connected.close()
    }
    changed()
  }

  return {
    nodes: (): NodeInfo[] =>
      kept().map((entry) =>
        nodeInfoOf(entry, {
          ...options,
          processes: table.list().filter(({ node, status }) => node === entry.row.id && status === 'running').length,
        }),
      ),
    onChange(listener: () => void): () => void {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    /** By the name of its node; `undefined` while it is not connected. */
    get: (id: string): ConnectedBackend | undefined => entries.get(id)?.open ?? undefined,
    /** Where commands go in a vocabulary that knows one place at a time. */
    current: (): Backend => chosen ?? entries.get(options.primary())?.open?.backend ?? here,
    /** The name of the node that the command line chose. */
    chosen: (): string | null => (chosen && chosen.node !== 'local' ? chosen.node : null),
    /** For this run only, and for all that names no node. ssh asks on the terminal if it may. */
    async use(place: BackendPlace, onTerminal: boolean): Promise<void> {
      if (place.kind === 'local') {
        chosen = await openBackend(place, { node: 'local', env })
        return
      }
      const id = freeId(place, options.idTrouble)
      const open = await connectBackend(place, {
        ...{ node: id, env, localNode, passing: true, onOutOfReach: () => {} },
        ...(onTerminal && { asking: askOnTerminal }),
      })
      entries.set(id, { ...newEntry({ id, place, wanted: false, addedAt: Date.now() }), open })
      chosen = open.backend
    },
    async add(place: BackendPlace, wish?: string): Promise<string> {
      const id = wish ?? freeId(place, options.idTrouble)
      const trouble = options.idTrouble(id)
      if (trouble) throw new Error(trouble)
      if (entries.has(id)) throw new Error(`${id} is being connected already`)
      const entry = newEntry({ id, place, wanted: true, addedAt: Date.now() }, false)
      entries.set(id, entry)
      try {
        await connect(entry, true)
      } catch (error) {
        entries.delete(id)
        throw error
      }
      rows.save(entry.row)
      entry.kept = true
      changed()
      return id
    },
    connect: async (id: string): Promise<void> => void (await connect(find(id), true)),
    async disconnect(id: string): Promise<void> {
      const entry = find(id)
      rows.save(Object.assign(entry.row, { wanted: false }))
      await shut(entry, null)
    },
    async remove(id: string): Promise<void> {
      const entry = find(id)
      entries.delete(id)
      rows.remove(id)
      clearTimeout(entry.timer ?? undefined)
      questions.drop(id)
      await shut(entry, null)
      for (const row of table.list()) if (row.node === id && row.link) table.lose(row.id)
    },
    /** A terminal of the user's own. */
    async openTerminal(id: string, sessionId: string): Promise<string> {
      const { facts } = await connect(find(id), true)
      const started = await table.start({
        sessionId,
        callId: null,
        command: facts.shell,
        title: `Terminal on ${id}`,
        argv: [facts.shell, '-l'],
        cwd: facts.workspace,
        node: id,
        background: false,
        byUser: true,
      })
      return started.id
    },
    choices: () => findChoices(env),
    probe(id: string, programs: readonly string[], timeoutMs: number): Promise<Record<string, boolean>> {
      const open = find(id).open
      if (!open) throw new Error(`Node ${id} is not connected`)
      return probePrograms(open.backend.reach, open.facts.shell, programs, timeoutMs)
    },
    questions,
    /** Connects again to what was connected when the app was last closed, as far as that needs no question. */
    start(): void {
      for (const entry of kept()) if (entry.row.wanted) later(entry, 0, () => reconnect(entry))
    },
    async close(): Promise<void> {
      closing.abort(new Error('Deckhand is closing'))
      for (const entry of entries.values()) {
        clearTimeout(entry.timer ?? undefined)
        questions.drop(entry.row.id)
        await entry.opening?.catch(() => {}) // Its card has told.
        await entry.open?.close()
      }
      if (chosen?.node === 'local') await chosen.close()
      await here.close()
    },
  }
}

const askOnTerminal: Asking = async () => ({ env: {}, onTerminal: true, close: () => Promise.resolve() })

const newEntry = (row: BackendRow, kept = true): Entry => ({
  row,
  kept,
  open: null,
  opening: null,
  problem: null,
  connectedAt: null,
  timer: null,
  tries: 0,
})
