import type { Logger } from '../../log'
import type { LocalNode } from '../local'
import type { ProcessTable } from '../process-table'
import { openAskpass } from './askpass'
import { type ConnectedNode, connectShellNode } from './connect-node'
import { type ConnectionLog, createConnectionLog } from './connection-log'
import { measureLatency } from './latency'
import type { ShellNodeRow } from './shell-node-rows'
import type { Asking } from './ssh'
import type { SshQuestions } from './ssh-questions'

/** Before the next attempt to come back. */
const retriesMs = [15_000, 60_000, 240_000]
/** What goes down at once is looked after at once. */
const settleMs = 200
const latencyEveryMs = 60_000

/** The way to one place: open or not, and brought back when it was lost. */
export interface NodeConnection {
  readonly row: ShellNodeRow
  readonly log: ConnectionLog
  readonly open: ConnectedNode | null
  readonly connecting: boolean
  readonly problem: string | null
  readonly connectedAt: number | null
  /** Of a round trip there and back; `null` until it was measured. */
  readonly latencyMs: number | null
  /** Asks the user what there is to ask. Throws `NodeError`. */
  connect(): Promise<ConnectedNode>
  /** Without questions, since nobody asked for it now; and not for ever, since a host may take that for an attack. */
  comeBack(): void
  disconnect(): Promise<void>
  rename(id: string): void
  /** For good: whatever is under way ends. */
  end(): Promise<void>
}

export interface ConnectionOptions {
  log: Logger
  table: ProcessTable
  localNode: LocalNode
  /** For the programs that lead there. */
  env: Readonly<Record<string, string>>
  /** Tells what this installation leaves on other machines from what others do. */
  owner: string
  questions: SshQuestions
  /** For this run only: nobody will come back to its terminals. ssh asks in this way, if at all. */
  passing?: { asking?: Asking }
  /** Ends everything at once. */
  signal: AbortSignal
  /** The row is not what it was. */
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
  let latencyMs: number | null = null
  let latencyTimer: NodeJS.Timeout | null = null
  let timer: NodeJS.Timeout | null = null
  /** To come back, in vain. */
  let tries = 0
  /** Processes whose connection was lost in this run. */
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
      ...{
        id: row.id,
        env,
        owner: options.owner,
        localNode,
        passing: passing !== undefined,
        signal,
        onOutOfReach,
        isKnown,
      },
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
    if (row.place.kind !== 'local' && !passing) void measure(connected)
    return connected
  }

  const isKnown = (id: string): boolean => table.get(id)?.status === 'running'

  const measure = async (connected: ConnectedNode): Promise<void> => {
    // A connection that is gone is noticed by whoever uses it.
    const measured = await measureLatency(connected.shell).catch(() => null)
    if (open !== connected) return
    latencyMs = measured ?? latencyMs
    changed()
    latencyTimer = setTimeout(() => measure(connected), latencyEveryMs)
    latencyTimer.unref()
  }

  /** Takes up the terminals that went on there. */
  const resume = async (connected: ConnectedNode): Promise<void> => {
    for (const process of table.list()) {
      if (process.node !== row.id || process.status !== 'running' || process.link !== 'down') continue
      // What the window has left there is not for a passing run to take up, and to end.
      if (passing && !cut.has(process.id)) continue
      const { id, pid } = process
      const found = await connected.resume({ id, pid, logPath: table.logPath(id) })
      if (found) table.adopt(process, found)
      else table.lose(id)
    }
  }

  const later = (ms: number, work: () => Promise<unknown>): void => {
    if (signal.aborted) return
    timer ??= setTimeout(() => {
      timer = null
      work().catch((error: unknown) => options.log.warn('A node is out of reach', { node: row.id, error }))
    }, ms)
  }

  /** The connection may be gone, or only what followed this process. */
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
    connectedAt = latencyMs = null
    clearTimeout(latencyTimer ?? undefined)
    if (connected) {
      if (why === null) log.info('Disconnected')
      else log.warn(why)
      for (const process of table.list()) if (process.node === row.id && process.link) table.detach(process.id)
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
      return latencyMs
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
      await shut(null)
      stop.abort(new Error('It was removed'))
      clearTimeout(timer ?? undefined)
      await opening?.catch(() => {}) // Its card has told.
    },
  }
}
