import { randomUUID } from 'node:crypto'
import { mkdirSync, statSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { DeckhandEvent, ProcessInfo } from '../../src-preload/contract/protocol'
import { type LogLines, readHead, readLines, readTail, type TextEnd } from './log-text'
import { type Node, type NodeProcess, type ProcessEvent, type Screen, SecretInputError } from './node'
import { isProcessAlive } from './process-alive'
import { findSurvivors } from './survivors'

const DEFAULT_SIZE = { cols: 120, rows: 30 }
const TAIL_CHARS = 4000
const OUTPUT_SAVE_MS = 250

/** Why the table refused: tools turn it into a failure that the model reads. */
export class ProcessRefusal extends Error {
  constructor(
    readonly kind: 'out-of-reach' | 'unknown' | 'ended' | 'no-input' | 'secret-input',
    message: string,
  ) {
    super(message)
    this.name = 'ProcessRefusal'
  }
}

export interface StartRequest {
  sessionId: string
  callId: string | null
  /** What the user and the model read; `argv` is what runs. */
  command: string
  title?: string
  argv: readonly [string, ...string[]]
  cwd: string
  /** Added to the environment that commands get. */
  env?: Record<string, string>
  /** A terminal of this size (120 × 30 when left out), or `null` for separate stdout and stderr pipes. */
  tty?: { cols: number; rows: number } | null
  background: boolean
  byUser: boolean
  /** Id of the node; the first one when left out. */
  node?: string
}

/** Every process of every session, running or ended. The only place that starts one. */
export interface ProcessTable {
  start(request: StartRequest): Promise<ProcessInfo>
  /** A copy of each row, newest first. */
  list(sessionId?: string): ProcessInfo[]
  get(id: string): ProcessInfo | undefined
  /**
   * Until the process has ended and all its output is in the log, or `ms` have passed. Rejects with the signal's reason
   * when aborted; the process goes on.
   */
  wait(id: string, ms?: number, signal?: AbortSignal): Promise<'exited' | 'running'>
  /** All signals go to the whole process group; on a process that has ended they do nothing. */
  signal(id: string, name: NodeJS.Signals): void
  kill(id: string): void
  /** SIGTERM, and SIGKILL if it has not ended `graceMs` later. Resolves when it has ended. */
  terminate(id: string, graceMs?: number): Promise<void>
  setBackground(id: string): void
  markTimedOut(id: string): void
  /** For the agent: refused while the program asks for a password. The user types through the pane. */
  write(id: string, data: string): Promise<void>
  resize(id: string, cols: number, rows: number): void
  screen(id: string): Promise<Screen>
  /** Plain text for a model, at most `maxChars` of it; the tail is kept. */
  output(id: string, options: { maxChars: number }): Promise<TextEnd>
  tail(id: string, chars?: number): Promise<string>
  lines(id: string, offset: number, limit: number): Promise<LogLines>
  /** Of a process without a terminal. */
  streams(
    id: string,
    options: { maxChars: number; keep: 'head' | 'tail' },
  ): Promise<{ stdout: TextEnd; stderr: TextEnd }>
  logPath(id: string): string
  /** Called once for each process, after its last state was saved and published. Returns the way to stop listening. */
  onExit(listener: (process: ProcessInfo) => void): () => void
  /** What the user typed into a process, as one short text; empty for what was typed while echo was off. */
  onTyped(listener: (process: ProcessInfo, text: string) => void): () => void
  /**
   * Takes in a process of another machine, or finds it again when that machine is back: the same id is the same row. Its
   * log is where `logPath` says.
   */
  adopt(row: AdoptedProcess, process: NodeProcess): ProcessInfo
  /** The machine of this process is out of reach; what becomes of it there is told when it is back. */
  detach(id: string): void
  /** Its machine is back and knows nothing of it. */
  lose(id: string): void
  /** Forgets an ended process and deletes its log. */
  remove(id: string): Promise<void>
  /** Ends everything that runs. */
  close(): Promise<void>
}

export type AdoptedProcess = Pick<
  ProcessInfo,
  'id' | 'sessionId' | 'callId' | 'node' | 'command' | 'title' | 'cwd' | 'byUser' | 'background' | 'bytes' | 'startedAt'
>

interface Entry {
  info: ProcessInfo
  process: NodeProcess | null
  waiters: Set<() => void>
  outputTimer: NodeJS.Timeout | null
}

export function createProcessTable(options: {
  nodes: readonly [Node, ...Node[]]
  /** Those that come and go, by id. */
  otherNode?(id: string): Node | undefined
  logDir: string
  /** Keeps a row; it is published only afterwards. */
  save(row: ProcessInfo): void
  load(): ProcessInfo[]
  forget?(id: string): void
  publish(event: DeckhandEvent): void
  clock?: () => number
}): ProcessTable {
  const { logDir, save, publish, clock = Date.now } = options
  const nodes = new Map(options.nodes.map((node) => [node.id, node]))
  const entries = new Map<string, Entry>()
  const exitListeners = new Set<(process: ProcessInfo) => void>()
  const typedListeners = new Set<(process: ProcessInfo, text: string) => void>()
  mkdirSync(logDir, { recursive: true, mode: 0o700 })

  const logPath = (id: string) => join(logDir, `${id}.log`)

  const find = (id: string): Entry => {
    const entry = entries.get(id)
    if (!entry) throw new ProcessRefusal('unknown', `There is no process ${id}`)
    return entry
  }

  const announce = (entry: Entry) => {
    if (entry.outputTimer) clearTimeout(entry.outputTimer)
    entry.outputTimer = null
    save(entry.info)
    publish({ type: 'process', process: { ...entry.info } })
  }

  const finish = (entry: Entry, end: Pick<ProcessInfo, 'status' | 'exitCode' | 'signal'>) => {
    Object.assign(entry.info, end, { endedAt: clock(), secretInput: false })
    entry.process = null
    announce(entry)
    for (const wake of entry.waiters) wake()
    entry.waiters.clear()
    for (const listener of exitListeners) listener({ ...entry.info })
  }

  const receive = (entry: Entry, event: ProcessEvent) => {
    switch (event.type) {
      case 'output':
        entry.info.bytes = event.bytes
        // Counting bytes is no news worth a write for every chunk.
        entry.outputTimer ??= setTimeout(() => announce(entry), OUTPUT_SAVE_MS)
        return
      case 'secret-input':
        entry.info.secretInput = event.active
        return announce(entry)
      case 'typed':
        for (const listener of typedListeners) listener({ ...entry.info }, event.text)
        return
      case 'exit':
        return finish(entry, { status: 'exited', exitCode: event.exitCode, signal: event.signal })
      case 'lost':
        return finish(entry, { status: 'lost', exitCode: null, signal: null })
    }
  }

  const wait = (id: string, ms?: number, signal?: AbortSignal): Promise<'exited' | 'running'> => {
    const entry = find(id)
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason)
      if (entry.info.status !== 'running') return resolve('exited')
      const stop = () => {
        clearTimeout(timer)
        signal?.removeEventListener('abort', abort)
        entry.waiters.delete(wake)
      }
      const wake = () => {
        stop()
        resolve('exited')
      }
      const abort = () => {
        stop()
        reject(signal?.reason)
      }
      const timer =
        ms === undefined
          ? undefined
          : setTimeout(() => {
              stop()
              resolve('running')
            }, ms)
      signal?.addEventListener('abort', abort, { once: true })
      entry.waiters.add(wake)
    })
  }

  const signal = (id: string, name: NodeJS.Signals) => {
    const entry = find(id)
    if (entry.process) return entry.process.signal(name)
    if (entry.info.status === 'survived') signalSurvivor(entry, name)
    requireReach(entry)
  }

  const requireReach = ({ info }: Entry) => {
    if (info.link !== 'down' || info.status !== 'running') return
    throw new ProcessRefusal('out-of-reach', `Node ${info.node} is not connected`)
  }

  const signalSurvivor = (entry: Entry, name: NodeJS.Signals) => {
    try {
      process.kill(-entry.info.pid, name)
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error
    }
    if (name === 'SIGKILL') finish(entry, { status: 'lost', exitCode: null, signal: name })
  }

  /** A survivor is nobody's child any more, so its end is seen only by looking. */
  const lookAfterSurvivors = () => {
    for (const entry of entries.values()) {
      if (entry.info.status !== 'survived' || isProcessAlive(entry.info.pid)) continue
      finish(entry, { status: 'lost', exitCode: null, signal: null })
    }
  }

  for (const info of options.load()) {
    entries.set(info.id, { info: { ...info }, process: null, waiters: new Set(), outputTimer: null })
  }
  adoptRows(
    [...entries.values()].map((entry) => entry.info),
    logPath,
    save,
  )

  return {
    async start(request) {
      const node =
        request.node === undefined ? options.nodes[0] : (nodes.get(request.node) ?? options.otherNode?.(request.node))
      if (!node) throw new ProcessRefusal('unknown', `There is no node ${request.node}`)
      const id = randomUUID()
      const tty = request.tty === undefined ? DEFAULT_SIZE : request.tty
      const startedAt = clock()
      const { argv, cwd, env = {} } = request
      const started = await node.start({ id, argv, cwd, env, tty, logPath: logPath(id) })
      const info: ProcessInfo = {
        id,
        sessionId: request.sessionId,
        callId: request.callId,
        node: node.id,
        command: request.command,
        title: request.title ?? request.command,
        cwd,
        pid: started.pid,
        tty: tty !== null,
        byUser: request.byUser,
        background: request.background,
        status: 'running',
        exitCode: null,
        signal: null,
        timedOut: false,
        secretInput: false,
        bytes: 0,
        startedAt,
        endedAt: null,
        ...(node.outlives && { link: 'up' }),
      }
      const entry: Entry = { info, process: started, waiters: new Set(), outputTimer: null }
      entries.set(id, entry)
      announce(entry)
      started.onEvent((event) => receive(entry, event))
      return { ...entry.info }
    },
    list(sessionId) {
      lookAfterSurvivors()
      return [...entries.values()]
        .filter((entry) => sessionId === undefined || entry.info.sessionId === sessionId)
        .map((entry) => ({ ...entry.info }))
        .sort((a, b) => b.startedAt - a.startedAt)
    },
    get(id) {
      lookAfterSurvivors()
      const entry = entries.get(id)
      return entry && { ...entry.info }
    },
    wait,
    signal,
    kill: (id) => signal(id, 'SIGKILL'),
    async terminate(id, graceMs = 250) {
      signal(id, 'SIGTERM')
      if ((await wait(id, graceMs)) === 'exited') return
      signal(id, 'SIGKILL')
      await wait(id)
    },
    setBackground(id) {
      const entry = find(id)
      if (entry.info.background) return
      entry.info.background = true
      announce(entry)
    },
    markTimedOut(id) {
      const entry = find(id)
      entry.info.timedOut = true
      announce(entry)
    },
    async write(id, data) {
      const entry = find(id)
      requireReach(entry)
      if (!entry.process) throw new ProcessRefusal('ended', `Process ${id} has ended`)
      await entry.process.write(data).catch((error: Error) => {
        const kind = error instanceof SecretInputError ? 'secret-input' : entry.process ? 'no-input' : 'ended'
        throw new ProcessRefusal(kind, error.message)
      })
    },
    resize: (id, cols, rows) => find(id).process?.resize(cols, rows),
    async screen(id) {
      const entry = find(id)
      if (!entry.process) throw new ProcessRefusal('ended', `Process ${id} has ended`)
      return entry.process.screen()
    },
    output: (id, { maxChars }) => readTail(logPath(find(id).info.id), maxChars),
    tail: async (id, chars = TAIL_CHARS) => (await readTail(logPath(find(id).info.id), chars)).text,
    lines: (id, offset, limit) => readLines(logPath(find(id).info.id), offset, limit),
    async streams(id, { maxChars, keep }) {
      const path = logPath(find(id).info.id)
      const read = keep === 'head' ? readHead : readTail
      const [stdout, stderr] = await Promise.all([read(`${path}.out`, maxChars), read(`${path}.err`, maxChars)])
      return { stdout, stderr }
    },
    logPath,
    onExit(listener) {
      exitListeners.add(listener)
      return () => exitListeners.delete(listener)
    },
    onTyped(listener) {
      typedListeners.add(listener)
      return () => typedListeners.delete(listener)
    },
    adopt(row, process) {
      const known = entries.get(row.id)
      if (known && (known.info.link === undefined || known.info.sessionId !== row.sessionId)) {
        throw new ProcessRefusal('unknown', `Process ${row.id} belongs to somebody else`)
      }
      const info: ProcessInfo = known?.info ?? { ...fresh, ...row, pid: process.pid }
      const entry: Entry = known ?? { info, process, waiters: new Set(), outputTimer: null }
      Object.assign(info, row, { pid: process.pid, link: 'up' })
      entry.process = process
      entries.set(row.id, entry)
      announce(entry)
      process.onEvent((event) => receive(entry, event))
      return { ...info }
    },
    detach(id) {
      const entry = entries.get(id)
      if (entry?.info.status !== 'running') return
      entry.process = null
      Object.assign(entry.info, { link: 'down', secretInput: false })
      announce(entry)
    },
    lose(id) {
      const entry = entries.get(id)
      if (entry?.info.status === 'running') finish(entry, { status: 'lost', exitCode: null, signal: null })
    },
    async remove(id) {
      const entry = find(id)
      if (entry.process) throw new ProcessRefusal('ended', `Process ${id} is still running`)
      entries.delete(id)
      const path = logPath(id)
      await Promise.all([path, `${path}.out`, `${path}.err`].map((each) => rm(each, { force: true })))
      options.forget?.(id)
      publish({ type: 'process-removed', processId: id })
    },
    async close() {
      await Promise.all(options.nodes.map((node) => node.close()))
      // What goes on elsewhere has no end to be saved with.
      for (const entry of entries.values()) if (entry.outputTimer) announce(entry)
    },
  }
}

const fresh = {
  tty: true,
  status: 'running',
  exitCode: null,
  signal: null,
  timedOut: false,
  secretInput: false,
  endedAt: null,
} as const

/** Rows of an earlier run: what ran then either survived, without its terminal, or is lost. */
function adoptRows(rows: ProcessInfo[], logPath: (id: string) => string, save: (row: ProcessInfo) => void): void {
  const open = rows.filter((row) => row.status === 'running' || row.status === 'survived')
  const survivors = findSurvivors(new Set(open.map((row) => row.id)))
  for (const row of open) {
    // Only its own machine can tell, once it is connected again.
    if (row.link) {
      Object.assign(row, { link: 'down', secretInput: false })
      continue
    }
    const pid = survivors.get(row.id)
    row.secretInput = false
    row.status = pid === undefined ? 'lost' : 'survived'
    if (pid !== undefined) row.pid = pid
    // The last output is the last sign of life.
    else row.endedAt = statSync(logPath(row.id), { throwIfNoEntry: false })?.mtimeMs ?? row.startedAt
    save(row)
  }
}
