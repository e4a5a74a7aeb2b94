import { randomUUID } from 'node:crypto'
import type { ProcessInfo, Watch, WatchedFor } from '../../src-preload/contract/processes'
import type { Logger } from '../log'
import { readSince } from '../nodes/log-text'
import type { ProcessTable } from '../nodes/process-table'

const LOOK_MS = 300
/** Most bytes read per check. If there is more new output, only the end is read. */
const MOST_BYTES = 1024 * 1024
/** Bytes before the new output that are read again, so that a text that arrived in two parts is found. */
const OVERLAP_BYTES = 4096
const LONGEST_LINE = 400
const MOST_WATCHES = 8

/** `words` says what happened, as a phrase that follows the name of the process. */
type Tripped = (process: ProcessInfo, words: string) => void

/** Watches on processes. Each one fires once when its condition is met, so that the agent does not have to poll. */
export interface Watches {
  /** Throws an error with a message for the caller. */
  add(processId: string, wanted: WatchedFor): Watch
  remove(processId: string, watchId: string): void
  clear(processId: string): void
  /** Returns the unsubscribe function. */
  onTripped(listener: Tripped): () => void
  close(): void
}

interface WatchesOptions {
  table: Pick<ProcessTable, 'get' | 'list' | 'setWatches' | 'logPath' | 'onExit'>
  /** Ports that a local process and its children listen on; `null` for a process on another machine. */
  portsOf(process: ProcessInfo): number[] | null
  log: Logger
  clock?: () => number
}

interface Wire {
  processId: string
  watch: Watch
  /** Length of the log when the watch was added; earlier output does not trigger it. */
  from: number
  seen: number
  quietSince: number
}

export class WatchRefusal extends Error {}

export function createWatches({ table, portsOf, log, clock = Date.now }: WatchesOptions): Watches {
  const wires = new Map<string, Wire>()
  const listeners = new Set<Tripped>()
  let timer: NodeJS.Timeout | undefined
  let closed = false

  const lay = (process: ProcessInfo, watch: Watch) => {
    const { id: processId, bytes } = process
    wires.set(watch.id, { processId, watch, from: bytes, seen: bytes, quietSince: clock() })
    lookSoon()
  }
  const lookSoon = () => {
    if (closed || timer || wires.size === 0) return
    timer = setTimeout(async () => {
      for (const wire of [...wires.values()]) {
        // A failed check must not prevent the others.
        await look(wire).catch((error) => log.warn('Could not look at a process', { process: wire.processId, error }))
      }
      timer = undefined
      lookSoon()
    }, LOOK_MS)
    timer.unref()
  }

  const look = async (wire: Wire): Promise<void> => {
    const process = table.get(wire.processId)
    if (process?.status !== 'running') return void wires.delete(wire.watch.id)
    const words = await happened(wire, process, { table, portsOf, clock })
    if (words === null || closed || !wires.has(wire.watch.id)) return
    remove(wire.processId, wire.watch.id)
    tell(process, words)
  }

  const tell = (process: ProcessInfo, words: string) => {
    for (const listener of listeners) listener(process, words)
  }

  const remove = (processId: string, watchId: string) => {
    wires.delete(watchId)
    const process = table.get(processId)
    const left = process?.watches?.filter(({ id }) => id !== watchId) ?? []
    if (process?.watches && left.length < process.watches.length) table.setWatches(processId, left)
  }

  const stopListening = table.onExit((process) => {
    const ended = [...wires.values()].filter(({ processId }) => processId === process.id)
    for (const { watch } of ended) wires.delete(watch.id)
    if (!ended.some(({ watch }) => watch.kind === 'exit')) return
    tell(process, process.signal ? `was ended by ${process.signal}` : `ended with exit code ${process.exitCode}`)
  })

  // Restore the watches of processes that kept running while the app was closed.
  for (const process of table.list()) for (const watch of process.watches ?? []) lay(process, watch)

  return {
    add(processId, wanted) {
      const process = table.get(processId)
      if (process?.status !== 'running') throw new WatchRefusal('It does not run, so there is nothing to watch for')
      const others = process.watches ?? []
      if (others.length >= MOST_WATCHES)
        throw new WatchRefusal(`At most ${MOST_WATCHES} things are watched for at once`)
      if (wanted.kind === 'port' && portsOf(process) === null) {
        throw new WatchRefusal('Ports can be watched only on this machine; watch for a text that it prints instead')
      }
      const watch: Watch = { ...wanted, id: randomUUID() }
      table.setWatches(processId, [...others, watch])
      lay(process, watch)
      return watch
    },
    remove,
    clear(processId) {
      for (const { id } of table.get(processId)?.watches ?? []) remove(processId, id)
    },
    onTripped(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    close() {
      closed = true
      clearTimeout(timer)
      stopListening()
    },
  }
}

/** What a watch waited for, in words; null if it has not happened yet. */
async function happened(
  wire: Wire,
  process: ProcessInfo,
  { table, portsOf, clock }: Pick<Required<WatchesOptions>, 'table' | 'portsOf' | 'clock'>,
): Promise<string | null> {
  const { watch } = wire
  switch (watch.kind) {
    case 'text': {
      if (process.bytes === wire.seen) return null
      const start = Math.max(wire.from, wire.seen - OVERLAP_BYTES)
      const { text, end } = await readSince(table.logPath(process.id), start, MOST_BYTES)
      wire.seen = end
      const line = lineWith(text, watch.text)
      return line === null ? null : `printed what was watched for: ${line}`
    }
    case 'silence':
      if (process.bytes !== wire.seen) Object.assign(wire, { seen: process.bytes, quietSince: clock() })
      return clock() - wire.quietSince < watch.seconds * 1000 ? null : `has printed nothing for ${watch.seconds} s`
    case 'port':
      return portsOf(process)?.includes(watch.port) ? `listens on port ${watch.port} now` : null
    case 'exit':
      return null
  }
}

/** The last line with this text in it, shortened around it. */
function lineWith(text: string, wanted: string): string | null {
  const at = text.lastIndexOf(wanted)
  if (at === -1) return null
  const start = Math.max(text.lastIndexOf('\n', at) + 1, at - LONGEST_LINE / 2)
  const lineEnd = text.indexOf('\n', at + wanted.length)
  return text.slice(start, Math.min(lineEnd === -1 ? text.length : lineEnd, start + LONGEST_LINE)).trim()
}
