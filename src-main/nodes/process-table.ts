import { randomUUID } from 'node:crypto'
import type { DeckhandEvent } from '../../src-preload/contract/events'
import { type ProcessInfo, type Watch, waitsForInput } from '../../src-preload/contract/processes'
import { usualTerminalSize } from '../../src-preload/contract/terminal'
import { createUnsaved, type Unsaved } from '../storage/unsaved'
import { type AdoptedProcess, adoptedProcesses } from './adopted-processes'
import { settleEarlierRows } from './earlier-rows'
import type { LeftOver } from './end-processes'
import type { LogLines, TextEnd } from './log-text'
import { lookAfterSurvivors } from './look-after-survivors'
import { type Node, type NodeProcess, type ProcessSpec, type Screen, SecretInputError } from './node'
import { createProcessBook, type ProcessBook } from './process-book'
import { createProcessEndings } from './process-endings'
import { createProcessLogs, type ProcessLogs } from './process-logs'
import { ProcessRefusal } from './process-refusal'
import { processStops } from './process-stops'
import { unreadLine } from './typed-line'

/** The width that every program expects: in a narrower terminal some cut what the model should read. */
const AGENT_COLUMNS = 80

export interface StartRequest {
  sessionId: string
  callId: string | null
  /** What the user and the model read; `argv` is what runs. */
  command: string
  title?: string
  argv: readonly [string, ...string[]]
  cwd: string
  /** Added to the usual environment of commands. */
  env?: Record<string, string>
  /**
   * A terminal of this size, by default as wide as terminals are shown; `null` for separate stdout and stderr pipes.
   */
  tty?: { cols: number; rows: number } | null
  farTerminal?: ProcessSpec['farTerminal']
  /** The cage that it runs in. */
  cage?: ProcessSpec['cage']
  /** Variables of the usual environment that it does not get. */
  unset?: ProcessSpec['unset']
  background: boolean
  byUser: boolean
  /** Id of the node; by default the first one. */
  node?: string
}

/** Every process of every session, running or ended. All processes are started here. */
export interface ProcessTable {
  start(request: StartRequest): Promise<ProcessInfo>
  /** A copy of each row, newest first. */
  list(sessionId?: string): ProcessInfo[]
  get(id: string): ProcessInfo | undefined
  /** How many run on this machine. Asked before each request, so it must stay cheap with many rows. */
  countRunningHere(): number
  /** A copy of each row that waits for somebody to type. */
  waiting(): ProcessInfo[]
  /** A copy of each row that belongs to a call. */
  ofCall(callId: string): ProcessInfo[]
  /**
   * Waits until the process has ended and all its output is in the log, or `ms` have passed, or its machine has been
   * out of reach for a while. Rejects with the signal's reason when aborted; the process continues.
   */
  wait(id: string, ms?: number, signal?: AbortSignal): Promise<'exited' | 'running'>
  /**
   * Signals go to the whole process group; they do nothing to a process that has ended. After a signal that ends it,
   * everything it has started on this machine ends with it, whatever process groups that is in.
   */
  signal(id: string, name: NodeJS.Signals): void
  kill(id: string): void
  /**
   * SIGTERM, and SIGKILL if it has not ended after `graceMs`, to everything it has started. `unreported` if even then
   * no end is reported in time, for whatever reason: then its row stays as it is.
   */
  terminate(id: string, graceMs?: number): Promise<'exited' | 'unreported'>
  /** SIGKILL at once, and the same wait. */
  terminateNow(id: string): Promise<'exited' | 'unreported'>
  /**
   * Ends what runs of a session, and what its ended commands have left running. With `since`, only what was left
   * running by the agent's commands that started since then.
   */
  endOf(sessionId: string, since?: number): Promise<void>
  /** Kills everything that was started on this machine, at once and without reporting it. */
  killAll(): void
  setBackground(id: string): void
  /** Shown with the process, and dropped at its end. */
  setWatches(id: string, watches: Watch[]): void
  markTimedOut(id: string): void
  /** Input from the agent: refused while the program asks for a password. The user types through the pane. */
  write(id: string, data: string): Promise<void>
  /** What the agent has typed into a line that is not finished. */
  typedLine(id: string): string
  resize(id: string, cols: number, rows: number): void
  /**
   * How wide terminals are shown. New ones start at this width (the agent's at 80 or more), so that nothing is
   * rewrapped.
   */
  setColumns(cols: number): void
  screen(id: string): Promise<Screen>
  /** Plain text for a model, at most `maxChars` of it; the end is kept. */
  output(id: string, options: { maxChars: number }): Promise<TextEnd>
  tail(id: string, chars?: number): Promise<string>
  lines(id: string, offset: number, limit: number): Promise<LogLines>
  /** For a process without a terminal. */
  streams(
    id: string,
    options: { maxChars: number; keep: 'head' | 'tail' },
  ): Promise<{ stdout: TextEnd; stderr: TextEnd }>
  logPath(id: string): string
  /**
   * Called once for each process, after its last state was saved and published. Returns a function that stops
   * listening.
   */
  onExit(listener: (process: ProcessInfo) => void): () => void
  /** Called with what the user typed into a process, as one short text; empty for what was typed while echo was off. */
  onTyped(listener: (process: ProcessInfo, text: string) => void): () => void
  /**
   * Adds a process of another machine, or finds it again when that machine is back: the same id is the same row. Its
   * log is where `logPath` says.
   */
  adopt(row: AdoptedProcess, process: NodeProcess): ProcessInfo
  /** The machine of this process is out of reach; its further state is reported when the machine is back. */
  detach(id: string): void
  /** Its machine is back and does not know it. */
  lose(id: string): void
  /** The node was renamed. */
  renameNode(node: string, newName: string): void
  /** Forgets an ended process and deletes its log. */
  remove(id: string): Promise<void>
  /** The app is about to end: what ends from now on counts as lost with it. */
  leave(): void
  /** Ends everything that runs. */
  close(): Promise<void>
}

export function createProcessTable(options: {
  nodes: readonly [Node, ...Node[]]
  /** Variables that every process in a folder gets. */
  environment?(cwd: string): Record<string, string> | undefined
  /** Nodes that come and go, by id. */
  otherNode?(id: string): Node | undefined
  logDir: string
  /** Saves a row; it is published only afterwards. */
  save(row: ProcessInfo): void
  /** Holds rows that cannot be saved now. */
  unsaved?: Unsaved
  load(): ProcessInfo[]
  forget?(id: string): void
  /** Called with processes that could not be ended, and so continue. */
  onLeft?(left: LeftOver[]): void
  publish(event: DeckhandEvent): void
  clock?: () => number
  /** How long callers wait for a process whose machine is out of reach. */
  awayMs?: number
}): ProcessTable {
  const { save, publish, clock = Date.now } = options
  const nodes = new Map(options.nodes.map((node) => [node.id, node]))
  const logs = createProcessLogs(options.logDir)
  const book = createProcessBook({
    save,
    unsaved: options.unsaved ?? createUnsaved(),
    publish,
    clock,
    ...(options.awayMs !== undefined && { awayMs: options.awayMs }),
  })
  const { entries, find, announce, finish, wait } = book
  const endings = createProcessEndings({
    pidOf: (id) => (entries.get(id)?.process ? find(id).info.pid : null),
    ...(options.onLeft && { onLeft: options.onLeft }),
  })
  book.onExit(({ id }) => endings.exited(id))
  const { signal, terminate, terminateNow, requireReach } = processStops(book, endings)
  let size = usualTerminalSize
  let nextId: string = randomUUID()

  for (const info of options.load()) book.add({ ...info }, null)
  settleEarlierRows(
    [...entries.values()].map((entry) => entry.info),
    logs.path,
    save,
  )
  const lookAround = lookAfterSurvivors(entries.values(), {
    moved: announce,
    ended: (entry) => finish(entry, { status: 'lost', exitCode: null, signal: null }),
  })

  return {
    async start(request) {
      const node =
        request.node === undefined ? options.nodes[0] : (nodes.get(request.node) ?? options.otherNode?.(request.node))
      if (!node) throw new ProcessRefusal('unknown', `There is no node ${request.node}`)
      const id = nextId
      nextId = randomUUID()
      const tty = request.tty === undefined ? (request.byUser ? size : forAgent(size)) : request.tty
      const startedAt = clock()
      const { argv, cwd, farTerminal, cage, unset } = request
      const env = { ...options.environment?.(cwd), ...request.env }
      const spec = {
        ...{ id, next: nextId, argv, cwd, env, tty, logPath: logs.path(id) },
        ...(farTerminal && { farTerminal }),
        ...(cage !== undefined && { cage }),
        ...(unset && { unset }),
      }
      // Before it has started: a stop may come in between.
      if (!node.outlives) endings.started(id)
      const started = await endings.starting(node.start(spec))
      const info = newRow(request, { id, node, pid: started.pid, tty: tty !== null, startedAt })
      const entry = book.add(info, started)
      book.follow(entry, started)
      return { ...entry.info }
    },
    ...rowQueries(book, lookAround),
    wait,
    signal,
    kill: (id) => signal(id, 'SIGKILL'),
    terminate,
    terminateNow,
    async endOf(sessionId, since) {
      const rows = [...entries.values()].map(({ info }) => info).filter((info) => info.sessionId === sessionId)
      const left = (info: ProcessInfo) =>
        since === undefined || (info.startedAt >= since && !info.background && !info.byUser)
      await endings.end(rows.filter(left).map(({ id }) => id))
      if (since !== undefined) return
      // Those on other machines, and all of them on systems that do not tell what a process has started.
      const goOn = rows.filter(({ status, link }) => status === 'running' && link !== 'down')
      await Promise.all(goOn.map(({ id }) => terminate(id)))
    },
    killAll: endings.killAll,
    ...rowFlags(book),
    async write(id, data) {
      const entry = find(id)
      requireReach(entry)
      if (!entry.process) throw new ProcessRefusal('ended', `Process ${id} has ended`)
      await entry.process.write(data).catch((error: Error) => {
        const kind = error instanceof SecretInputError ? 'secret-input' : entry.process ? 'no-input' : 'ended'
        throw new ProcessRefusal(kind, error.message)
      })
      entry.typedLine = unreadLine(entry.typedLine ?? '', data)
    },
    typedLine: (id) => find(id).typedLine ?? '',
    resize: (id, cols, rows) => find(id).process?.resize(cols, rows),

    setColumns(cols) {
      size = { ...size, cols }
    },
    async screen(id) {
      const entry = find(id)
      if (!entry.process) throw new ProcessRefusal('ended', `Process ${id} has ended`)
      return entry.process.screen()
    },
    ...loggedOutput(book, logs),
    logPath: logs.path,
    onExit: book.onExit,
    onTyped: book.onTyped,
    ...adoptedProcesses(book),
    async remove(id) {
      const entry = find(id)
      if (entry.process) throw new ProcessRefusal('ended', `Process ${id} is still running`)
      entries.delete(id)
      await logs.remove(id)
      options.forget?.(id)
      publish({ type: 'process-removed', processId: id })
    },
    leave: book.leave,
    async close() {
      book.leave()
      await endings.endAll()
      await Promise.all(options.nodes.map((node) => node.close()))
      // Saves the pending byte counts of processes that continue elsewhere, since they have no end event.
      for (const entry of entries.values()) if (entry.outputTimer) announce(entry)
    },
  }
}

/** Copies of rows; `lookAround` brings those of survivors up to date. */
function rowQueries(
  { entries }: ProcessBook,
  lookAround: () => void,
): Pick<ProcessTable, 'list' | 'get' | 'countRunningHere' | 'waiting' | 'ofCall'> {
  return {
    list(sessionId) {
      lookAround()
      return [...entries.values()]
        .filter((entry) => sessionId === undefined || entry.info.sessionId === sessionId)
        .map((entry) => ({ ...entry.info }))
        .sort((a, b) => b.startedAt - a.startedAt)
    },
    get(id) {
      lookAround()
      const entry = entries.get(id)
      return entry && { ...entry.info }
    },
    countRunningHere() {
      lookAround()
      let count = 0
      for (const { info } of entries.values()) if (info.status === 'running' && info.link === undefined) count++
      return count
    },
    waiting: () => [...entries.values()].flatMap(({ info }) => (waitsForInput(info) ? [{ ...info }] : [])),
    ofCall: (callId) =>
      [...entries.values()].filter(({ info }) => info.callId === callId).map(({ info }) => ({ ...info })),
  }
}

/** What processes have printed, running or ended. */
function loggedOutput(
  { find }: ProcessBook,
  logs: ProcessLogs,
): Pick<ProcessTable, 'output' | 'tail' | 'lines' | 'streams'> {
  return {
    output: async (id, { maxChars }) => {
      const { info } = find(id)
      return tellLost(await logs.output(id, maxChars), info, logs.size(id))
    },
    tail: async (id, chars) => logs.tail(find(id).info.id, chars),
    lines: (id, offset, limit) => logs.lines(find(id).info.id, offset, limit),
    streams: async (id, wish) => logs.streams(find(id).info.id, wish),
  }
}

/** On a full disk the log ends before the output does, which would otherwise look complete. */
function tellLost(end: TextEnd, { status, bytes, link }: ProcessInfo, kept: number): TextEnd {
  if (status !== 'exited' || link !== undefined || kept >= bytes) return end
  const lost = `[The disk is full: the last ${bytes - kept} bytes of the output could not be kept.]`
  return { ...end, text: end.text === '' ? lost : `${end.text}\n${lost}` }
}

const forAgent = ({ cols, rows }: { cols: number; rows: number }) => ({ cols: Math.max(cols, AGENT_COLUMNS), rows })

function newRow(
  request: StartRequest,
  start: { id: string; node: Node; pid: number; tty: boolean; startedAt: number },
): ProcessInfo {
  const { node, ...known } = start
  return {
    ...known,
    sessionId: request.sessionId,
    callId: request.callId,
    node: node.id,
    command: request.command,
    title: request.title ?? request.command,
    cwd: request.cwd,
    byUser: request.byUser,
    background: request.background,
    status: 'running',
    exitCode: null,
    signal: null,
    timedOut: false,
    secretInput: false,
    bytes: 0,
    endedAt: null,
    ...(node.outlives && { link: 'up' }),
  }
}

/** Facts about a process that callers set in its row. */
function rowFlags({
  find,
  announce,
}: ProcessBook): Pick<ProcessTable, 'setBackground' | 'setWatches' | 'markTimedOut'> {
  return {
    setBackground(id) {
      const entry = find(id)
      if (entry.info.background) return
      entry.info.background = true
      announce(entry)
    },
    setWatches(id, watches) {
      const entry = find(id)
      if (watches.length > 0) entry.info.watches = watches
      else delete entry.info.watches
      announce(entry)
    },
    markTimedOut(id) {
      const entry = find(id)
      entry.info.timedOut = true
      announce(entry)
    },
  }
}
