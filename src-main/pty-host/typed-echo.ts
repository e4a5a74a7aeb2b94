/** Time for a program to show what was typed. */
const ECHO_MS = 300
const MAX_OUTPUT = 16 * 1024

/**
 * Finds out whether a program showed what the user typed. Only such text is recorded with the times of a terminal: a
 * program may draw dots for a password itself, and then only the missing echo reveals that it is one.
 */
interface TypedEcho {
  /** Called when the user has pressed keys. */
  began(): void
  output(chunk: Uint8Array): void
  /** The pressed keys as text. It is passed on a moment later, as an empty text if it was not shown. */
  typed(text: string): void
  end(): void
}

export function createTypedEcho(tell: (text: string, msAgo: number) => void): TypedEcho {
  let watching = false
  /** Keys were pressed whose text has not been reported yet. */
  let pressed = false
  let output = ''
  let waiting: { text: string; at: number }[] = []
  let timer: NodeJS.Timeout | null = null

  const settle = () => {
    if (timer) clearTimeout(timer)
    timer = null
    const shown = plain(output)
    for (const { text, at } of waiting) {
      const isShown = text === '' || isEchoed(text, shown)
      tell(isShown ? text : '', Math.round(performance.now() - at))
    }
    waiting = []
    if (pressed) return
    watching = false
    output = ''
  }

  return {
    began() {
      watching = true
      pressed = true
    },
    output(chunk) {
      if (!watching || output.length > MAX_OUTPUT) return
      output += Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength).toString('utf8')
    },
    typed(text) {
      pressed = false
      waiting.push({ text, at: performance.now() })
      timer ??= setTimeout(settle, ECHO_MS)
      timer.unref()
    },
    end: settle,
  }
}

/** Without escape sequences. */
const plain = (text: string): string =>
  text.replace(/\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)?|[ -/]*[0-~])/g, '')

/** Whether all characters were drawn in order; line editors may draw others in between. */
function isEchoed(typed: string, shown: string): boolean {
  const keys = typed.replace(/<[A-Z][A-Za-z-]*>|\^[@-_]|[\s…]/gu, '')
  let at = 0
  for (const char of keys) {
    at = shown.indexOf(char, at) + char.length
    if (at < char.length) return false
  }
  return true
}
