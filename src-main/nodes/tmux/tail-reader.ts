import { endMark, endMarkLast } from './tmux-window'

/** Separates the output of a process from the mark after its last byte, however the pieces are cut. */
export function createTailReader(
  id: string,
  listener: { output(chunk: Buffer): void; end(exitCode: number): void },
): { push(chunk: Buffer): void; flush(): void } {
  const mark = endMark(id)
  /** May be the start of the mark. */
  let held: Buffer = Buffer.alloc(0)
  const pass = (chunk: Buffer) => {
    if (chunk.length > 0) listener.output(chunk)
  }
  return {
    push(chunk) {
      const bytes = held.length > 0 ? Buffer.concat([held, chunk]) : chunk
      held = Buffer.alloc(0)
      const at = bytes.indexOf(mark)
      if (at < 0) {
        const keep = prefixAtEnd(bytes, mark)
        pass(bytes.subarray(0, bytes.length - keep))
        held = Buffer.from(bytes.subarray(bytes.length - keep))
        return
      }
      pass(bytes.subarray(0, at))
      const last = bytes.indexOf(endMarkLast, at + mark.length)
      if (last < 0) held = Buffer.from(bytes.subarray(at))
      else listener.end(Number(bytes.toString('latin1', at + mark.length, last)) || 0)
    },
    /** No more comes: what was held back was not a mark. */
    flush() {
      pass(held)
      held = Buffer.alloc(0)
    },
  }
}

/** How many bytes at the end of `bytes` may be the start of the mark. */
function prefixAtEnd(bytes: Buffer, mark: Buffer): number {
  for (let length = Math.min(mark.length - 1, bytes.length); length > 0; length--)
    if (bytes.subarray(bytes.length - length).equals(mark.subarray(0, length))) return length
  return 0
}
