import type { ProcessInfo } from '../../../src-preload/contract/processes'
import type { Logger } from '../../log'
import type { LocalNode } from '../local'
import type { ProcessTable } from '../process-table'
import { openAskpass } from './askpass'
import { endMarks, openChannel } from './channel'
import { type ConnectedNode, connectShellNode } from './connect-node'
import { type ConnectionLog, createConnectionLog } from './connection-log'
import type { RemoteShell } from './remote-shell'
import type { ShellNodeRow } from './shell-node-rows'
import type { Asking } from './ssh'
import type { SshQuestions } from './ssh-questions'

const answerMs = 20_000

/** Pauses before the attempts to reconnect. */
const retriesMs = [15_000, 60_000, 240_000]
/** Several losses at almost the same time are handled together. */
const settleMs = 200
const latencyEveryMs = 60_000

/** The connection to one machine: open or closed, and reopened after it was lost. */
export interface NodeConnection {
  readonly row: ShellNodeRow
  readonly log: ConnectionLog
  readonly open: ConnectedNode | null
  readonly connecting: boolean
  readonly problem: string | null
  readonly connectedAt: number | null
  /** Duration of a round trip; `null` until it was measured. */
  readonly latencyMs: number | null
  /** May ask the user questions. Throws `NodeError`. */
  connect(): Promise<ConnectedNode>
  /**
   * Reconnects without questions, since the user did not ask for it now, and not endlessly, since a host may take that
   * for an attack.
   */
  comeBack(): void
  disconnect(): Promise<void>
  rename(id: string): void
  /** Permanently: aborts whatever is running. */
  end(): Promise<void>
}

export interface ConnectionOptions {
  log: Logger
  table: ProcessTable
  localNode: LocalNode
  /** For the local programs that connect. */
  env: Readonly<Record<string, string>>
  /** Distinguishes what this installation leaves on other machines from what others do. */
  owner: string
  questions: SshQuestions
  /** For this run only: its terminals are not resumed later. `asking` is how ssh may ask, if at all. */
  passing?: { asking?: Asking }
  /** Aborts everything at once. */
  signal: AbortSignal
  /** Called when the row has changed. */
  save(row: ShellNodeRow): void
  changed(): void
}

export function createNodeConnection(row: ShellNodeRow, options: ConnectionOptions): NodeConnection {
  const { table, localNode, env, questions, passing, changed } = options
  const asking = passing ? passing.asking : () => openAskpass((question) => questions.ask(row.id, question))
  const stop = new AbortController()
  const signal = AbortSignal.any([options.signal, stop.signal])
  const log = createConnectionLog(options.log, () => row.id)
  let open: ConnectedNode | null = null
  let opening: Promise<ConnectedNode> | null = null
  let problem: string | null = null
  let connectedAt: number | null = null
  const latency = createLatency(changed)
  const { later, stop: stopTimer } = createDelay(signal, (error) =>
    options.log.warn('A node is out of reach', { node: row.id, error }),
  )
  /** Failed attempts to reconnect. */
  let tries = 0
  /** Processes that lost their connection in this run. */
  const cut = new Set<string>()

  const connectWith = (ask: boolean): Promise<ConnectedNode> => {
    if (open) return Promise.resolve(open)
    opening ??= openPlace(ask)
      .catch((error: Error) => {
        problem = error.message
        log.warn('Could not connect', { error: error.message })
        throw error
      })
      .finally(() => {
        opening = null
        questions.drop(row.id)
        changed()
      })
    changed()
    return opening
  }

  const openPlace = async (ask: boolean): Promise<ConnectedNode> => {
    const connected = await connectShellNode(row.place, {
      ...{ id: row.id, env, owner: options.owner, localNode, signal, onOutOfReach, isKnown },
      passing: passing !== undefined,
      ...(ask && asking && { asking }),
    })
    if (signal.aborted) {
      await connected.close()
      throw new Error('It was removed meanwhile')
    }
    open = connected
    problem = null
    connectedAt = Date.now()
    tries = 0
    const { os, hostname } = connected.facts
    log.info('Connected', { os, hostname, ...(connected.session !== null && { tmux: connected.session }) })
    if (!row.wanted) options.save(Object.assign(row, { wanted: true }))
    await resume(connected)
    if (row.place.kind !== 'local' && !passing) void latency.follow(connected.shell)
    return connected
  }

  const isKnown = (id: string): boolean => table.get(id)?.status === 'running'

  /** A passing run must not resume, and later end, what the window has left there. */
  const resume = (connected: ConnectedNode): Promise<void> =>
    resumeTerminals(table, row.id, connected, ({ id }) => !passing || cut.has(id))

  /** The connection may be lost, or only the program that followed this process. */
  const onOutOfReach = (processId: string): void => {
    cut.add(processId)
    table.detach(processId)
    later(settleMs, async () => {
      if (!open) return
      if (await open.shell.check()) return resume(open)
      await shut('The connection was lost')
      await reconnect()
    })
  }

  const reconnect = async (): Promise<void> => {
    if (open || !row.wanted) return
    try {
      await connectWith(false)
    } catch (error) {
      const wait = retriesMs[tries]
      tries++
      if (wait !== undefined) later(wait, reconnect)
      throw error
    }
  }

  const shut = async (why: string | null): Promise<void> => {
    const connected = open
    open = null
    problem = why
    connectedAt = null
    latency.stop()
    if (connected) {
      if (why === null) log.info('Disconnected')
      else log.warn(why)
      detachAll(table, row.id)
      await connected.close()
    }
    changed()
  }

  return {
    row,
    log,
    get open() {
      return open
    },
    get connecting() {
      return opening !== null
    },
    get problem() {
      return problem
    },
    get connectedAt() {
      return connectedAt
    },
    get latencyMs() {
      return latency.ms
    },
    connect: () => connectWith(true),
    comeBack: () => later(0, reconnect),
    async disconnect() {
      options.save(Object.assign(row, { wanted: false }))
      await shut(null)
    },
    rename(id) {
      log.info('Renamed', { from: row.id, to: id })
      table.renameNode(row.id, id)
      row.id = id
      open?.rename(id)
    },
    async end() {
      questions.drop(row.id)
      await open?.forget()
      await shut(null)
      stop.abort(new Error('It was removed'))
      stopTimer()
      await opening?.catch(() => {}) // Its card has shown the error.
    },
  }
}

/** Runs one piece of work after a delay; what is requested while one is waiting is ignored. */
const createDelay = (signal: AbortSignal, failed: (error: unknown) => void) => {
  let timer: NodeJS.Timeout | null = null
  return {
    later: (ms: number, work: () => Promise<unknown>): void => {
      if (signal.aborted) return
      timer ??= setTimeout(() => {
        timer = null
        work().catch(failed)
      }, ms)
    },
    stop: (): void => clearTimeout(timer ?? undefined),
  }
}

const detachAll = (table: ConnectionOptions['table'], node: string): void => {
  for (const process of table.list()) if (process.node === node && process.link) table.detach(process.id)
}

/** Resumes the terminals that continued on a node. */
async function resumeTerminals(
  table: ConnectionOptions['table'],
  node: string,
  connected: ConnectedNode,
  isOurs: (process: ProcessInfo) => boolean,
): Promise<void> {
  for (const process of table.list()) {
    if (process.node !== node || process.status !== 'running' || process.link !== 'down' || !isOurs(process)) continue
    const { id, pid } = process
    const found = await connected.resume({ id, pid, logPath: table.logPath(id) })
    if (found) table.adopt(process, found)
    else table.lose(id)
  }
}

/** How long a connection takes to answer, measured again and again while it is open. */
function createLatency(changed: () => void) {
  let ms: number | null = null
  let timer: NodeJS.Timeout | undefined
  let followed: ConnectedNode['shell'] | null = null

  const measure = async (shell: ConnectedNode['shell']): Promise<void> => {
    // A lost connection is noticed by whatever uses it.
    const measured = await measureLatency(shell).catch(() => null)
    if (followed !== shell) return
    ms = measured ?? ms
    changed()
    timer = setTimeout(() => measure(shell), latencyEveryMs)
    timer.unref()
  }

  return {
    get ms() {
      return ms
    },
    follow(shell: ConnectedNode['shell']): Promise<void> {
      followed = shell
      return measure(shell)
    },
    stop(): void {
      followed = ms = null
      clearTimeout(timer)
    },
  }
}

/** The duration of a round trip over an open connection. Throws `NodeError`. */
async function measureLatency(shell: RemoteShell): Promise<number> {
  const channel = await openChannel(shell, ':')
  try {
    const answer = () => channel.request((token) => endMarks(token), { timeoutMs: answerMs })
    // The first round trip includes the start of the program.
    await answer()
    const began = performance.now()
    await answer()
    return Math.round((performance.now() - began) * 10) / 10
  } finally {
    channel.close()
  }
}
