/** Decodes UTF-8 that arrives in arbitrary pieces: a character cut in two waits for its rest. */
export interface Utf8Stream {
  push(chunk: Uint8Array): string
  /** A copy of the stream that continues from this point. */
  fork(): Utf8Stream
}

export function createUtf8Stream(carried: Buffer = Buffer.alloc(0)): Utf8Stream {
  let tail = carried
  return {
    push(chunk) {
      const bytes =
        tail.length > 0 ? Buffer.concat([tail, chunk]) : Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength)
      const end = bytes.length - unfinishedBytes(bytes)
      tail = end === bytes.length ? EMPTY : Buffer.from(bytes.subarray(end))
      return bytes.toString('utf8', 0, end)
    },
    fork: () => createUtf8Stream(tail),
  }
}

const EMPTY = Buffer.alloc(0)

/** The number of bytes at the end that start an incomplete character. */
function unfinishedBytes(bytes: Buffer): number {
  for (let back = 1; back <= 3 && back <= bytes.length; back++) {
    const byte = bytes[bytes.length - back] ?? 0
    if ((byte & 0xc0) === 0x80) continue
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1
    return length > back ? back : 0
  }
  return 0
}
