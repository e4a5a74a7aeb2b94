import type { BackendPlace, BackendQuestion } from '../../../src-preload/contract/backends'
import type { NodeInfo, NodeLog } from '../../../src-preload/contract/nodes'
import type { NodeFiles } from '../files/node-files'
import type { ProcessTable } from '../process-table'
import type { ConnectedNode } from './connect-node'
import { findChoices } from './find-choices'
import { type ConnectionOptions, createNodeConnection, type NodeConnection } from './node-connection'
import { freeId, nodeInfoOf } from './node-info'
import { localShellNode, openShellNode } from './open-node'
import { probePrograms } from './probe-programs'
import type { ShellNode } from './shell-node'
import type { ShellNodeRow, ShellNodeRows } from './shell-node-rows'
import type { Asking } from './ssh'
import { createSshQuestions } from './ssh-questions'

export type { ConnectedNode }

interface Entry {
  link: NodeConnection
  /** True for a saved node; one that is being added is saved when it has connected. */
  kept: boolean
}

interface ShellNodesOptions extends Pick<ConnectionOptions, 'log' | 'table' | 'localNode' | 'env' | 'owner'> {
  rows: ShellNodeRows
  version: string
  tools: readonly string[]
  capabilities: readonly string[]
  /** Why this cannot be the id of a new node, or `null`. */
  idTrouble(id: string): string | null
  announceQuestions(questions: BackendQuestion[]): void
  /** The node that the user chose for calls that name none. */
  primary(): string
}

export type ShellNodes = ReturnType<typeof createShellNodes>

/** Machines that are reached through a shell, as nodes: saved, connected, and restored at the next start. */
export function createShellNodes(options: ShellNodesOptions) {
  const { rows, table, env } = options
  const entries = new Map<string, Entry>()
  const listeners = new Set<() => void>()
  const questions = createSshQuestions(options.announceQuestions)
  const here = localShellNode({ id: 'local', env })
  let chosen: ShellNode | null = null
  /** A node of another kind that the command line chose. */
  let chosenElsewhere: string | null = null
  const closing = new AbortController()

  const changed = (): void => {
    for (const listener of listeners) listener()
  }
  const linkTo = (row: ShellNodeRow, passing?: ConnectionOptions['passing']): NodeConnection =>
    createNodeConnection(row, {
      ...{ ...options, questions, signal: closing.signal, save: rows.save, changed },
      ...(passing && { passing }),
    })
  for (const row of rows.list()) entries.set(row.id, { link: linkTo(row), kept: true })

  const kept = (): NodeConnection[] => [...entries.values()].filter((entry) => entry.kept).map(({ link }) => link)
  const find = (id: string): NodeConnection => {
    const entry = entries.get(id)
    if (!entry) throw new Error(`There is no node ${id}`)
    return entry.link
  }

  return {
    nodes: (): NodeInfo[] =>
      kept().map((link) =>
        nodeInfoOf(link, {
          ...options,
          processes: table.list().filter(({ node, status }) => node === link.row.id && status === 'running').length,
        }),
      ),
    onChange(listener: () => void): () => void {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    /** By node id; `undefined` while it is not connected. */
    get: (id: string): ConnectedNode | undefined => entries.get(id)?.link.open ?? undefined,
    /** The files and the workspace of a node, while it is connected. */
    filesAt(id: string): { files: NodeFiles; workspace: string } | undefined {
      const open = entries.get(id)?.link.open
      return open ? { files: open.files, workspace: open.facts.workspace } : undefined
    },
    /** Where commands run in a vocabulary that knows one place at a time. */
    current: (): ShellNode => chosen ?? entries.get(options.primary())?.link.open ?? here,
    /** The id of the node that the command line chose. */
    chosen: (): string | null => (chosen && chosen.id !== 'local' ? chosen.id : chosenElsewhere),
    /** Like `use`, but by node id and for this run only. A node of another kind is connected elsewhere. */
    async choose(id: string, onTerminal: boolean): Promise<void> {
      const row = rows.list().find((each) => each.id === id)
      if (!row) {
        chosenElsewhere = id
        return
      }
      const link = linkTo({ ...row, wanted: true }, onTerminal ? { asking: askOnTerminal } : {})
      chosen = await link.connect()
      entries.set(id, { link, kept: true })
    },
    isKept: (id: string): boolean => rows.list().some((row) => row.id === id),
    /** For this run only: used for everything that names no node. ssh asks on the terminal if it may. */
    async use(place: BackendPlace, onTerminal: boolean): Promise<void> {
      if (place.kind === 'local') {
        chosen = await openShellNode(place, { id: 'local', env, owner: options.owner })
        return
      }
      const id = freeId(place, options.idTrouble)
      const passing = onTerminal ? { asking: askOnTerminal } : {}
      const link = linkTo({ id, place, wanted: true, addedAt: Date.now() }, passing)
      chosen = await link.connect()
      entries.set(id, { link, kept: true })
    },
    async add(place: BackendPlace, wish?: string): Promise<string> {
      const id = wish ?? freeId(place, options.idTrouble)
      const trouble = options.idTrouble(id)
      if (trouble) throw new Error(trouble)
      if (entries.has(id)) throw new Error(`${id} is being connected already`)
      const entry = { link: linkTo({ id, place, wanted: true, addedAt: Date.now() }), kept: false }
      entries.set(id, entry)
      try {
        await entry.link.connect()
      } catch (error) {
        entries.delete(id)
        throw error
      }
      rows.save(entry.link.row)
      entry.kept = true
      changed()
      return id
    },
    connect: async (id: string): Promise<void> => void (await find(id).connect()),
    disconnect: (id: string): Promise<void> => find(id).disconnect(),
    /** Its terminals are kept. */
    rename(id: string, newId: string): void {
      const entry = entries.get(id)
      const trouble = options.idTrouble(newId)
      if (trouble) throw new Error(trouble)
      if (!entry || entry.link.connecting) throw new Error(`${id} is being connected; rename it afterwards`)
      entry.link.rename(newId)
      entries.delete(id)
      entries.set(newId, entry)
      rows.remove(id)
      rows.save(entry.link.row)
      changed()
    },
    async remove(id: string): Promise<void> {
      const link = find(id)
      entries.delete(id)
      rows.remove(id)
      await link.end()
      for (const row of table.list()) if (row.node === id && row.link) table.lose(row.id)
    },
    openTerminal: async (id: string, sessionId: string): Promise<string> =>
      openTerminal(table, await find(id).connect(), id, sessionId),
    choices: () => findChoices(env),
    async probe(id: string, programs: readonly string[], timeoutMs: number): Promise<Record<string, boolean>> {
      const { open } = find(id)
      if (!open) throw new Error(`Node ${id} is not connected`)
      return probePrograms(open.shell, open.facts.shell, programs, timeoutMs)
    },
    logs: (id: string, lines: number): NodeLog => ({ nodeId: id, ...find(id).log.tail(lines) }),
    questions,
    /** Reconnects what was connected when the app was last closed, if that needs no question. */
    start(): void {
      for (const link of kept()) if (link.row.wanted) link.comeBack()
    },
    async close(): Promise<void> {
      closing.abort(new Error('Deckhand is closing'))
      await Promise.all([...entries.values()].map(({ link }) => link.end()))
      if (chosen?.id === 'local') await chosen.close()
      await here.close()
    },
  }
}

/** Opens a terminal for the user. */
const openTerminal = async (
  table: Pick<ProcessTable, 'start'>,
  { facts }: ConnectedNode,
  id: string,
  sessionId: string,
): Promise<string> => {
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
}

const askOnTerminal: Asking = async () => ({ env: {}, onTerminal: true, close: () => Promise.resolve() })
