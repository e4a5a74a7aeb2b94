import type { BackendChoices, BackendQuestion } from '../../../src-preload/contract/backends'
import type { NodeInfo, NodeLog } from '../../../src-preload/contract/nodes'
import type { NodeFiles } from '../files/node-files'
import type { ProcessTable } from '../process-table'
import { createChosenNode } from './chosen-node'
import type { ConnectedNode } from './connect-node'
import { findEngines, runningContainers } from './container'
import { createNodeChanges, type Entry } from './node-changes'
import { type ConnectionOptions, createNodeConnection, type NodeConnection } from './node-connection'
import { nodeInfoOf } from './node-info'
import { quote, type RemoteShell, runArgv, runScript } from './remote-shell'
import type { ShellNodeRow, ShellNodeRows } from './shell-node-rows'
import { sshHosts } from './ssh-config'
import { createSshQuestions } from './ssh-questions'
import { wslDistributions } from './wsl'

export type { ConnectedNode }

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
  const closing = new AbortController()

  const changed = (): void => {
    for (const listener of listeners) listener()
  }
  const linkTo = (row: ShellNodeRow, passing?: ConnectionOptions['passing']): NodeConnection =>
    createNodeConnection(row, {
      ...{ ...options, questions, signal: closing.signal, save: rows.save, changed },
      passing,
    })
  for (const row of rows.list()) entries.set(row.id, { link: linkTo(row), kept: true })

  const kept = (): NodeConnection[] => [...entries.values()].filter((entry) => entry.kept).map(({ link }) => link)
  const find = (id: string): NodeConnection => {
    const entry = entries.get(id)
    if (!entry) throw new Error(`There is no node ${id}`)
    return entry.link
  }

  const chosen = createChosenNode({
    ...options,
    connect: async (row, passing) => {
      const link = linkTo(row, passing)
      const connected = await link.connect()
      entries.set(row.id, { link, kept: true })
      return connected
    },
    openOf: (id) => entries.get(id)?.link.open ?? null,
  })

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
    ...chosen.methods,
    isKept: (id: string): boolean => rows.list().some((row) => row.id === id),
    connect: async (id: string): Promise<void> => void (await find(id).connect()),
    disconnect: (id: string): Promise<void> => find(id).disconnect(),
    ...createNodeChanges({ ...options, entries, linkTo, find, changed }),
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
      await chosen.close()
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

/** Containers, hosts and sessions that this machine knows of. */
async function findChoices(env: Readonly<Record<string, string>>): Promise<BackendChoices> {
  const [containers, engines, distributions, tmux] = await Promise.all([
    runningContainers(env),
    findEngines(env),
    wslDistributions(env),
    runArgv(['tmux', '-V'], env).then(
      ({ exitCode }) => exitCode === 0,
      () => false, // Not installed.
    ),
  ])
  return { sshHosts: sshHosts(), containers, engines, tmux, distributions }
}

/** Which of these programs a login shell there would find. Throws `NodeError`. */
async function probePrograms(
  there: RemoteShell,
  loginShell: string,
  programs: readonly string[],
  timeoutMs: number,
): Promise<Record<string, boolean>> {
  const look = programs.map((name) => `command -v ${quote(name)} >/dev/null 2>&1 && echo ${quote(name)}`).join('\n')
  const { stdout } = await runScript(there, `${quote(loginShell)} -lc ${quote(`${look}\n:`)}`, { timeoutMs })
  const found = new Set(stdout.toString().split('\n'))
  return Object.fromEntries(programs.map((name) => [name, found.has(name)]))
}
