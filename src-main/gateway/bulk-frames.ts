import type { Duplex } from 'node:stream'
import { pieceBytes } from '../nodes/files/node-files'
import { applyMask, openFrameMemory } from './frame-memory'
import { headerBytes } from './wire'

/** Smaller frames are not worth the effort; frames above `largestBulk` are left for the library to check. */
export const smallestBulk = 32 * 1024
const largestBulk = 512 * 1024
/** Size of the buffer pool: about the number of file chunks that can be in flight. */
const keptBuffers = 144
const longestHead = 14

const final = 0x80
const binary = 0x02
const maskBit = 0x80

interface BulkOptions {
  /** Whether the other side is the client, which has to mask its frames. */
  masked: boolean
  /** The frame is valid until `release` is called, which lets a later one reuse its memory. Calling it is optional. */
  onFrame(frame: Buffer, release: () => void): void
}

/**
 * Takes large binary frames out of a stream before the WebSocket library sees them. The library allocates new memory
 * for each of them, which costs more than receiving the bytes; this code reuses a few buffers instead. Everything else
 * (text, control frames, fragments, invalid frames) reaches the library unchanged and in order. It replaces a listener of
 * the library because there is no public way: with the library alone a transfer ran at 0.7 of this speed (`npm run bench
 * -- transfer`, measured once on a busy machine: 0.18 instead of 0.26 of a plain socket copy).
 */
export function takeBulkFrames(stream: Duplex, options: BulkOptions): void {
  const library = stream.listeners('data')[0] as (chunk: Buffer) => void
  const read = createBulkReader({ ...options, pass: (bytes) => library.call(stream, bytes) })
  stream.off('data', library)
  // With `listener` set, this is removed when the library removes its own listener, as it does after an error.
  stream.on('data', Object.assign(read, { listener: library }))
  // On close the library would read what a paused stream still holds, including bulk frames; read it first.
  stream.prependListener('close', () => void stream.read())
}

/** The frame parser without the stream: takes chunks as they arrive. */
export function createBulkReader(options: BulkOptions & { pass(bytes: Buffer): void }): (chunk: Buffer) => void {
  const { pass, onFrame } = options
  const head = Buffer.alloc(longestHead)
  const spare: Buffer[] = []
  /** Bytes of the next frame's header that have been read. */
  let headBytes = 0
  /** Bytes left of a frame that is passed to the library. */
  let passing = 0
  let fragmented = false
  /** The memory for masked frames is made with the first one: most connections never carry a file. */
  let opened = false
  let taken: { memory: Buffer; length: number; filled: number; mask: number } | null = null

  /** Called when the header is complete: decides whether the frame is taken here or passed on. */
  const begin = (): void => {
    const length = payloadLength(head)
    const opcode = head.readUInt8(0) & 0x0f
    const isMasked = (head.readUInt8(1) & maskBit) !== 0
    const isBulk = head.readUInt8(0) === (final | binary) && length >= smallestBulk && length <= largestBulk
    if (isBulk && isMasked === options.masked && !fragmented) {
      if (isMasked && !opened) spare.push(...openFrameMemory(keptBuffers, pieceBytes + headerBytes))
      opened = true
      const memory = spare.find((each) => each.length >= length)
      if (memory) spare.splice(spare.indexOf(memory), 1)
      const mask = isMasked ? head.readInt32LE(headBytes - 4) : 0
      taken = { memory: memory ?? Buffer.allocUnsafeSlow(length), length, filled: 0, mask }
      return
    }
    passing = length
    if (opcode <= binary) fragmented = (head.readUInt8(0) & final) === 0
  }

  const finish = ({ memory, length, mask }: NonNullable<typeof taken>): void => {
    const frame = memory.subarray(0, length)
    if (mask !== 0) applyMask(frame, mask)
    onFrame(frame, () => {
      if (spare.length < keptBuffers) spare.push(memory)
    })
  }

  return (chunk) => {
    let at = 0
    /** Start of the bytes in this chunk that still have to be passed to the library. */
    let kept = 0
    while (at < chunk.length) {
      if (taken) {
        const count = Math.min(taken.length - taken.filled, chunk.length - at)
        chunk.copy(taken.memory, taken.filled, at, at + count)
        taken.filled += count
        at += count
        kept = at
        if (taken.filled < taken.length) return
        const done = taken
        taken = null
        finish(done)
      } else if (passing > 0) {
        const count = Math.min(passing, chunk.length - at)
        passing -= count
        at += count
      } else {
        const before = headBytes
        const start = at
        while (at < chunk.length && (headBytes < 2 || headBytes < headLength(head)))
          head[headBytes++] = chunk[at++] ?? 0
        if (headBytes < 2 || headBytes < headLength(head)) {
          if (start > kept) pass(chunk.subarray(kept, start))
          return
        }
        begin()
        if (taken && start > kept) pass(chunk.subarray(kept, start))
        // Its header began in the previous chunk.
        if (!taken && before > 0) pass(Buffer.from(head.subarray(0, before)))
        headBytes = 0
        if (taken) kept = at
      }
    }
    if (at > kept) pass(chunk.subarray(kept, at))
  }
}

function headLength(head: Buffer): number {
  const second = head.readUInt8(1)
  const length = second & 0x7f
  return 2 + (length === 127 ? 8 : length === 126 ? 2 : 0) + (second & maskBit ? 4 : 0)
}

function payloadLength(head: Buffer): number {
  const length = head.readUInt8(1) & 0x7f
  if (length === 126) return head.readUInt16BE(2)
  return length === 127 ? Number(head.readBigUInt64BE(2)) : length
}
