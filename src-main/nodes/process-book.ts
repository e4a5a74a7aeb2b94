import type { DeckhandEvent } from '../../src-preload/contract/events'
import type { ProcessInfo } from '../../src-preload/contract/processes'
import { createListeners } from '../listeners'
import type { Unsaved } from '../storage/unsaved'
import type { NodeProcess, ProcessEvent } from './node'
import { ProcessRefusal } from './process-refusal'

const OUTPUT_SAVE_MS = 250
/** Enough time to reopen a lost connection once or twice. */
const AWAY_MS = 20_000

export interface Entry {
  info: ProcessInfo
  process: NodeProcess | null
  waiters: Set<(state: 'exited' | 'running') => void>
  /** Set while its machine is out of reach; callers that wait do so until it fires. */
  away: NodeJS.Timeout | null
  outputTimer: NodeJS.Timeout | null
  /** What the agent has typed into a line that is not finished. */
  typedLine?: string
}

interface BookOptions {
  /** Stores a row. */
  save(row: ProcessInfo): void
  /** Holds rows that cannot be saved now, such as on a full disk. */
  unsaved: Unsaved
  publish(event: DeckhandEvent): void
  clock(): number
  /** How long callers wait for a process whose machine is out of reach. */
  awayMs?: number
}

/** The rows of the process table: what is known of each process, who waits for it, and who is notified. */
export function createProcessBook({ save, unsaved, publish, clock, awayMs = AWAY_MS }: BookOptions) {
  const entries = new Map<string, Entry>()
  const exits = createListeners<[process: ProcessInfo]>()
  let leaving = false
  const typed = createListeners<[process: ProcessInfo, text: string]>()

  const find = (id: string): Entry => entryOf(entries, id)

  /**
   * Saves, then publishes. The end of a process is published even if it cannot be saved: on a full disk its row follows
   * later.
   */
  const announce = (entry: Entry) => {
    if (entry.outputTimer) clearTimeout(entry.outputTimer)
    entry.outputTimer = null
    unsaved.save(`process:${entry.info.id}`, () => {
      // It may have been removed while it waited to be saved.
      if (entries.has(entry.info.id)) save(entry.info)
    })
    publish({ type: 'process', process: { ...entry.info } })
  }

  const finish = (entry: Entry, end: Pick<ProcessInfo, 'status' | 'exitCode' | 'signal'>) => {
    cameBack(entry)
    endRow(entry.info, end, clock())
    entry.process = null
    // Waiting callers are resumed whatever happens to the row and to other listeners.
    const waiters = [...entry.waiters]
    entry.waiters.clear()
    try {
      announce(entry)
    } finally {
      for (const wake of waiters) wake('exited')
    }
    exits.tell({ ...entry.info })
  }

  const receive = (entry: Entry, event: ProcessEvent) => {
    switch (event.type) {
      case 'output':
        entry.info.bytes = event.bytes
        // A byte count alone is not worth a write for every chunk.
        entry.outputTimer ??= setTimeout(() => announce(entry), OUTPUT_SAVE_MS)
        return
      case 'secret-input':
        entry.info.secretInput = event.active
        return announce(entry)
      case 'prompt':
        if (event.prompt) entry.info.prompt = event.prompt
        else delete entry.info.prompt
        return announce(entry)
      case 'typed':
        typed.tell({ ...entry.info }, event.text)
        return
      case 'exit':
        // The app ended it, so its exit code says nothing about the program.
        if (leaving) return finish(entry, { status: 'lost', exitCode: null, signal: null })
        return finish(entry, { status: 'exited', exitCode: event.exitCode, signal: event.signal })
      case 'lost':
        return finish(entry, { status: 'lost', exitCode: null, signal: null })
    }
  }

  const wait = (id: string, ms?: number, signal?: AbortSignal): Promise<'exited' | 'running'> => {
    const entry = find(id)
    const waited = waitFor(entry, ms, signal)
    if (entry.waiters.size > 0 && entry.info.link === 'down') limitWaiting(entry, awayMs)
    return waited
  }

  /** `process` is `null` for one left by an earlier run. */
  const add = (info: ProcessInfo, process: NodeProcess | null): Entry => {
    const entry: Entry = { info, process, waiters: new Set(), away: null, outputTimer: null }
    entries.set(info.id, entry)
    return entry
  }

  return {
    entries,
    find,
    add,
    announce,
    finish,
    wait,
    goneAway: (entry: Entry): void => limitWaiting(entry, awayMs),
    /** Announces a process and listens to it from now on. */
    follow(entry: Entry, process: NodeProcess): void {
      cameBack(entry)
      entry.process = process
      announce(entry)
      process.onEvent((event) => receive(entry, event))
    },
    /** Whatever ends from now on ends because the app does. */
    leave(): void {
      leaving = true
    },
    onExit: exits.add,
    onTyped: typed.add,
  }
}

export type ProcessBook = ReturnType<typeof createProcessBook>

const entryOf = (entries: ReadonlyMap<string, Entry>, id: string): Entry => {
  const entry = entries.get(id)
  if (!entry) throw new ProcessRefusal('unknown', `There is no process ${id}`)
  return entry
}

/** Removes what only a running process has. */
const endRow = (info: ProcessInfo, end: Pick<ProcessInfo, 'status' | 'exitCode' | 'signal'>, endedAt: number): void => {
  Object.assign(info, end, { endedAt, secretInput: false })
  delete info.watches
  delete info.prompt
}

/** Callers must not wait forever for a machine that may not come back. */
const limitWaiting = (entry: Entry, ms: number): void => {
  entry.away ??= setTimeout(() => {
    entry.away = null
    for (const wake of [...entry.waiters]) wake('running')
  }, ms)
}

const cameBack = (entry: Entry): void => {
  clearTimeout(entry.away ?? undefined)
  entry.away = null
}

/** Settles when the process has ended, the time is up, or its machine has been out of reach for too long. */
const waitFor = (entry: Entry, ms?: number, signal?: AbortSignal): Promise<'exited' | 'running'> => {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason)
    if (entry.info.status !== 'running') return resolve('exited')
    const stop = () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', abort)
      entry.waiters.delete(wake)
    }
    const wake = (state: 'exited' | 'running') => {
      stop()
      resolve(state)
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
