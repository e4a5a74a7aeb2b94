/** The amount between two looks at the clock: about a millisecond of parsing. */
export const PIECE = 8 * 1024

/** How much of each frame is spent on parsing; the rest is for drawing and typing. */
const FOCUSED_MS = 8
const ASIDE_MS = 4
/** For text of which nothing is drawn before its end. */
const UNSEEN_MS = 12

interface PacedWriterOptions {
  /** Passes text to the terminal, which calls back when it has parsed it. */
  write(text: string, parsed: () => void): void
  /** Calls back in the next frame, or soon if no frames are drawn. */
  nextFrame(run: () => void): void
  now?(): number
}

/**
 * Gives a terminal only as much in each frame as leaves time to draw it. Otherwise it would parse everything at once,
 * and a burst of output would freeze the window for that long. What comes after a pause, usually an echo, is written at
 * once.
 */
export function createPacedWriter({ write, nextFrame, now = () => performance.now() }: PacedWriterOptions) {
  let queue: { text: string; done: (() => void) | undefined; unseen: boolean }[] = []
  let focused = false
  let busy = false
  /** When the terminal started on what is written in this frame. */
  let began = 0
  /** Grows when the queue is cleared, so that earlier work is not continued. */
  let epoch = 0

  const budget = () => {
    if (queue[0]?.unseen) return UNSEEN_MS
    return focused ? FOCUSED_MS : ASIDE_MS
  }

  const start = (at: number) => {
    busy = true
    write('', () => {
      if (at !== epoch) return
      began = now()
      writeNext(at)
    })
  }

  const writeNext = (at: number) => {
    const next = queue[0]
    if (!next) {
      busy = false
      return
    }
    const end = endOfPiece(next.text)
    write(next.text.slice(0, end), () => {
      if (at !== epoch) return
      next.text = next.text.slice(end)
      if (next.text === '') {
        queue.shift()
        next.done?.()
      }
      if (at !== epoch) return
      if (queue.length === 0 || now() - began < budget()) writeNext(at)
      else nextFrame(() => at === epoch && start(at))
    })
  }

  return {
    /**
     * In the order of the calls; `done` is called when all of it was parsed; `unseen` if nothing is drawn until then.
     */
    write(text: string, done?: () => void, unseen = false) {
      queue.push({ text, done, unseen })
      if (!busy) start(epoch)
    },
    /** Drops what was not passed on yet, because something else replaces it. */
    clear() {
      epoch++
      queue = []
      busy = false
    },
    setFocused(has: boolean) {
      focused = has
    },
  }
}

/** Never between the two halves of a surrogate pair. */
function endOfPiece(text: string): number {
  if (text.length <= PIECE) return text.length
  const last = text.charCodeAt(PIECE - 1)
  return last >= 0xd800 && last < 0xdc00 ? PIECE - 1 : PIECE
}
