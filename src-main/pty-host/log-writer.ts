import { closeSync, openSync, writeSync, writev } from 'node:fs'
import { systemWords } from '../storage/system-words'

const SLAB_BYTES = 64 * 1024
const RETRY_MS = 1000

/** Appends to one file, in order and in batches. The caller watches `pending` and pauses the source. */
export interface LogWriter {
  /** Takes a copy: the caller may reuse the chunk at once. */
  append(chunk: Uint8Array): void
  /** Bytes appended so far, written or not. */
  readonly bytes: number
  /** Bytes that are not on disk yet. */
  readonly pending: number
  /** Resolves when the file holds everything up to `offset`. */
  written(offset: number): Promise<void>
  /** Called after each batch reached the file. */
  onWritten: (() => void) | null
  /** Writes the rest, closes the file and calls back; nothing may be appended afterwards. */
  end(done: () => void): void
}

/**
 * `from`: continues a file that already has this many bytes. The file is created with the first byte, since many
 * programs write none, and creating a file takes about as long as starting a small program.
 */
export function createLogWriter(path: string, from = 0): LogWriter {
  let fd: number | null = from > 0 ? openSync(path, 'r+') : null
  let waiting: Buffer[] = []
  /** The last of `waiting`, while it has space. */
  let slab: Buffer | null = null
  let slabUsed = 0
  let spare: Buffer | null = null
  let bytes = from
  let written = from
  let inFlight = false
  let scheduled = false
  let ending: (() => void) | null = null
  let closed = false
  let readers: { offset: number; resolve: () => void }[] = []

  const takeWaiting = (): Buffer[] => {
    if (slab) waiting[waiting.length - 1] = slab.subarray(0, slabUsed)
    const batch = waiting
    waiting = []
    slab = null
    return batch
  }

  const flush = () => {
    scheduled = false
    if (inFlight || waiting.length === 0) return
    inFlight = true
    write(takeWaiting())
  }

  /** Null if it cannot be created now. */
  const file = (): number | null => {
    try {
      fd ??= openSync(path, 'w')
    } catch (error) {
      if (ending) console.error(`deckhand: ${path} could not be written: ${systemWords(error)}.`)
    }
    return fd
  }

  /**
   * Usually a full disk. The growing backlog stops the program until there is space again; once it has ended, what
   * still cannot be written is given up. The timer keeps this process alive, because the end of the log is awaited.
   */
  const retry = (batch: Buffer[]) => {
    if (ending) finish()
    else setTimeout(() => write(batch), RETRY_MS)
  }

  const write = (batch: Buffer[]) => {
    const open = file()
    if (open === null) return retry(batch)
    writev(open, batch, written, (error, count) => {
      if (error) return retry(batch)
      written += count
      const rest = dropBytes(batch, count)
      if (rest.length > 0) return write(rest)
      const first = batch[0]
      if (first && first.buffer.byteLength === SLAB_BYTES) spare = Buffer.from(first.buffer)
      inFlight = false
      wakeReaders()
      writer.onWritten?.()
      if (ending) finish()
      else flush()
    })
  }

  const wakeReaders = () => {
    const ready = readers.filter((reader) => closed || reader.offset <= written)
    if (ready.length === 0) return
    readers = readers.filter((reader) => !ready.includes(reader))
    for (const reader of ready) reader.resolve()
  }

  const finish = () => {
    const done = ending
    try {
      for (const chunk of takeWaiting()) {
        const open = file()
        for (let offset = 0; open !== null && offset < chunk.length; ) {
          const count = writeSync(open, chunk, offset, chunk.length - offset, written)
          offset += count
          written += count
        }
      }
    } catch (error) {
      console.error(`deckhand: the end of ${path} could not be written: ${systemWords(error)}.`)
    }
    if (fd !== null) closeSync(fd)
    closed = true
    spare = null
    ending = null
    wakeReaders()
    done?.()
  }

  const writer: LogWriter = {
    onWritten: null,
    get bytes() {
      return bytes
    },
    get pending() {
      return bytes - written
    },
    written(offset) {
      if (closed || offset <= written) return Promise.resolve()
      return new Promise((resolve) => readers.push({ offset, resolve }))
    },
    append(chunk) {
      // Created at once, so that the file exists before any byte is reported.
      if (fd === null) file()
      bytes += chunk.length
      for (let offset = 0; offset < chunk.length; ) {
        if (!slab || slabUsed === SLAB_BYTES) {
          slab = spare ?? Buffer.from(new ArrayBuffer(SLAB_BYTES))
          spare = null
          slabUsed = 0
          waiting.push(slab)
        }
        const part = chunk.subarray(offset, offset + SLAB_BYTES - slabUsed)
        slab.set(part, slabUsed)
        slabUsed += part.length
        offset += part.length
      }
      // One batch for everything that arrives in this turn of the event loop.
      if (!scheduled && !inFlight) {
        scheduled = true
        setImmediate(flush)
      }
    },
    end(done) {
      ending = done
      if (!inFlight) finish()
    },
  }
  return writer
}

function dropBytes(batch: Buffer[], count: number): Buffer[] {
  let left = count
  for (let i = 0; i < batch.length; i++) {
    const chunk = batch[i] as Buffer
    if (left < chunk.length) return [chunk.subarray(left), ...batch.slice(i + 1)]
    left -= chunk.length
  }
  return []
}
