import { randomFillSync } from 'node:crypto'

/** Room for the longest header, so that the payload behind it is aligned for four bytes at a time. */
const headRoom = 16
const final = 0x80
const binary = 0x02
const maskBit = 0x80

/**
 * A whole binary frame of a client, masked as the standard says with four bytes that nobody can foresee. The library masks
 * byte by byte, which takes longer than sending a chunk of a file; this does four at a time.
 */
export function maskedFrame(payload: Buffer): Buffer {
  const { length } = payload
  const memory = Buffer.from(new ArrayBuffer(headRoom + length))
  const start = headRoom - (length < 126 ? 6 : length < 65_536 ? 8 : 14)
  memory[start] = final | binary
  if (length < 126) memory[start + 1] = maskBit | length
  else if (length < 65_536) {
    memory[start + 1] = maskBit | 126
    memory.writeUInt16BE(length, start + 2)
  } else {
    memory[start + 1] = maskBit | 127
    memory.writeBigUInt64BE(BigInt(length), start + 2)
  }
  randomFillSync(memory, headRoom - 4, 4)
  const mask = memory.readInt32LE(headRoom - 4)
  payload.copy(memory, headRoom)
  const words = new Int32Array(memory.buffer, headRoom, length >> 2)
  for (let index = 0; index < words.length; index++) words[index] = (words[index] ?? 0) ^ mask
  for (let index = words.length << 2; index < length; index++) {
    memory[headRoom + index] = (memory[headRoom + index] ?? 0) ^ ((mask >> ((index & 3) << 3)) & 0xff)
  }
  return memory.subarray(start)
}
