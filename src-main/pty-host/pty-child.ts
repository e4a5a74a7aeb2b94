import { readSync, writeSync } from 'node:fs'
import { ReadStream } from 'node:tty'
import { errorCode } from '../error-code'
import { type Child, type ChildListener, createEnding } from './child'
import { endWatch } from './end-watch'
import type { Launcher } from './launcher'
import { lineModeBy, lineModeOf } from './line-mode'
import { resizeTerminal, type Size } from './native-pty'
import type { ProcessExit, ProcessSpec } from './process'
import { createReadTurns, type TurnReader } from './read-turns'

const READ_BYTES = 64 * 1024
/** A shorter read means that the kernel's buffer is empty. */
const KERNEL_READ_BYTES = 4000
/** More than the kernel can buffer for an ended program; beyond it another process is still writing. */
const MAX_DRAIN_BYTES = 1024 * 1024
const WRITE_RETRY_MS = 2

/** Shared by all terminals: each read is passed on before the next begins. */
const buffer = Buffer.allocUnsafe(READ_BYTES)
const turns = createReadTurns()

export async function spawnPty(
  spec: ProcessSpec,
  size: Size,
  listener: ChildListener,
  launcher: Launcher,
): Promise<Child> {
  const terminal = await launcher.open(spec, size)
  const drainAndClose = () => {
    drain()
    close()
  }
  const ending = createEnding({ end: listener.end, giveUp: drainAndClose, isPaused: () => paused })
  watchEnd(terminal, (exit) => {
    // Usually the program was the last to have the terminal open; then there is no need to wait for the event loop.
    if (!paused && drain()) {
      leave()
      // Closing a terminal takes the kernel a while, which nobody has to wait for.
      setImmediate(() => socket.destroy())
      ending.drained()
    }
    ending.exited(exit)
  })
  let closed = false
  /** A stream closes its descriptor before it emits `close`, and another terminal may get the same number at once. */
  const isOpen = () => !closed && !socket.destroyed
  let paused = false
  const pass = (count: number) => {
    ending.active()
    listener.output(buffer.subarray(0, count), 'out')
  }
  const socket = new ReadStream(terminal.fd, {
    onread: {
      buffer,
      callback(count) {
        pass(count)
        if (count >= KERNEL_READ_BYTES && !paused) {
          socket.pause()
          turns.join(reader)
        }
        return true
      },
    },
  })
  /** The kernel returns at most 4 KiB per event, and an event costs more than the read. */
  const reader: TurnReader = {
    read() {
      if (!isOpen()) return false
      const { count } = fill(terminal.fd)
      if (count > 0) pass(count)
      if (paused || !isOpen()) return false
      const more = count > buffer.length - KERNEL_READ_BYTES
      if (!more) socket.resume()
      return more
    },
  }
  /**
   * After a short read, the event loop takes a hang-up for the end, though the kernel may hold more. Returns whether
   * that was everything, because nobody has the terminal open any more.
   */
  const drain = (): boolean => {
    for (let total = 0; isOpen() && total < MAX_DRAIN_BYTES; ) {
      const { count, hungUp } = fill(terminal.fd)
      if (count > 0) listener.output(buffer.subarray(0, count), 'out')
      if (hungUp || count === 0) return hungUp
      total += count
    }
    return false
  }
  const leave = () => {
    closed = true
    turns.leave(reader)
  }
  const close = () => {
    leave()
    socket.destroy()
  }
  // When the last program has closed the terminal, Linux reports EIO and other systems an ordinary end.
  socket.on('error', close)
  socket.on('end', drainAndClose)
  socket.on('close', () => {
    closed = true
    ending.drained()
  })
  socket.resume()

  const input = createWriteQueue(terminal.fd, isOpen)

  return {
    pid: terminal.pid,
    write(data) {
      if (!isOpen()) throw new Error('The terminal is closed')
      if (data !== '') input.push(Buffer.from(data, 'utf8'))
    },
    resize(cols, rows) {
      if (isOpen()) resizeTerminal(terminal.fd, { cols, rows })
    },
    pause() {
      paused = true
      // A reader that waits for its turn has already paused its stream; pausing twenty streams again would delay a key.
      if (!turns.leave(reader)) socket.pause()
    },
    resume() {
      paused = false
      turns.join(reader)
    },
    async lineMode() {
      if (!isOpen()) return null
      return spec.farTerminal ? lineModeBy(spec.farTerminal, spec.env) : lineModeOf(terminal.path)
    },
  }
}

/** Calls `exited` once, with the reported status or, if none is ever reported, with what the watch has noticed. */
function watchEnd(
  { pid, release, exited: reported }: Awaited<ReturnType<Launcher['open']>>,
  exited: (exit: ProcessExit) => void,
): void {
  let over = false
  const end = (exit: ProcessExit) => {
    if (over) return
    over = true
    unwatch()
    release()
    exited(exit)
  }
  const unwatch = endWatch.watch(pid, end)
  // A short program can end together with its start. The caller must learn of the start first.
  void reported.then((exit) => exit && setImmediate(end, exit))
}

/** Input for a terminal. Written straight to the descriptor: a stream on it could block the whole process. */
function createWriteQueue(fd: number, isOpen: () => boolean) {
  const queue: Buffer[] = []
  let retry: NodeJS.Timeout | null = null
  const writeQueue = () => {
    retry = null
    while (isOpen()) {
      const chunk = queue[0]
      if (!chunk) return
      const count = writeSome(fd, chunk)
      if (count === 'closed') queue.length = 0
      else if (count === chunk.length) queue.shift()
      else {
        queue[0] = chunk.subarray(count)
        retry = setTimeout(writeQueue, WRITE_RETRY_MS)
        return
      }
    }
  }

  return {
    push(chunk: Buffer): void {
      queue.push(chunk)
      if (!retry) writeQueue()
    },
  }
}

/** Reads until the buffer is full or the kernel has no more; `hungUp` if there will never be more. */
function fill(fd: number): { count: number; hungUp: boolean } {
  let count = 0
  let last = KERNEL_READ_BYTES
  while (last >= KERNEL_READ_BYTES && buffer.length - count >= KERNEL_READ_BYTES) {
    try {
      last = readSync(fd, buffer, count, buffer.length - count, null)
    } catch (error) {
      // Nothing there yet (EAGAIN), or nobody has the other end open (EIO).
      return { count, hungUp: errorCode(error) === 'EIO' }
    }
    count += last
  }
  return { count, hungUp: false }
}

/** How many bytes the terminal took; 0 when its buffer is full. */
function writeSome(fd: number, chunk: Buffer): number | 'closed' {
  try {
    return writeSync(fd, chunk)
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EAGAIN' ? 0 : 'closed'
  }
}
