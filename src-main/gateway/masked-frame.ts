import { randomFillSync } from 'node:crypto'
import { applyMask, headRoom, isFrameMemory } from './frame-memory'

const final = 0x80
const binary = 0x02
const maskBit = 0x80

/** Random masks are drawn in bulk, since four bytes cost as much as thousands. */
const stock = Buffer.alloc(4096)
let drawn = stock.length

/**
 * A whole binary frame of a client, masked with four random bytes as the standard demands. A payload in frame memory is
 * masked in place and must not be used afterwards; any other payload is copied.
 */
export function maskedFrame(payload: Buffer): Buffer {
  const { length } = payload
  const headBytes = length < 126 ? 6 : length < 65_536 ? 8 : 14
  const inPlace = isFrameMemory(payload)
  const memory = inPlace ? payload.buffer : new ArrayBuffer(headRoom + length)
  const at = inPlace ? payload.byteOffset : headRoom
  const frame = Buffer.from(memory, at - headBytes, headBytes + length)
  frame[0] = final | binary
  if (length < 126) frame[1] = maskBit | length
  else if (length < 65_536) {
    frame[1] = maskBit | 126
    frame.writeUInt16BE(length, 2)
  } else {
    frame[1] = maskBit | 127
    frame.writeBigUInt64BE(BigInt(length), 2)
  }
  const mask = nextMask()
  frame.writeInt32LE(mask, headBytes - 4)
  const body = frame.subarray(headBytes)
  if (!inPlace) payload.copy(body)
  applyMask(body, mask)
  return frame
}

function nextMask(): number {
  if (drawn === stock.length) {
    randomFillSync(stock)
    drawn = 0
  }
  const mask = stock.readInt32LE(drawn)
  // Cleared, so that masks already used cannot be read from this memory.
  stock.writeInt32LE(0, drawn)
  drawn += 4
  return mask
}
