import { randomFillSync } from 'node:crypto'
import { applyMask, headRoom, isFrameMemory } from './frame-memory'

const final = 0x80
const binary = 0x02
const maskBit = 0x80

/** Masks are drawn in stock, since asking for four bytes costs as much as asking for thousands. */
const stock = Buffer.alloc(4096)
let drawn = stock.length

/**
 * A whole binary frame of a client, masked as the standard says with four bytes that nobody can foresee. A payload in frame
 * memory is masked where it lies, and is used up by that; any other is copied.
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
  // Not kept: what was sent says nothing about what comes, and neither should this memory.
  stock.writeInt32LE(0, drawn)
  drawn += 4
  return mask
}
