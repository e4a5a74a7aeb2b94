/** The unfinished last line of a terminal's output, and whether it asks for something. */

/** More than any question needs; the end of a longer line is kept. */
const LONGEST_LINE = 1024
const LONGEST_PROMPT = 200
const LINE_FEED = 0x0a

const EMPTY = Buffer.alloc(0)

/** Collects the bytes after the last line feed. */
export function createLastLine() {
  let tail = EMPTY
  return {
    add(chunk: Uint8Array): void {
      const start = chunk.lastIndexOf(LINE_FEED) + 1
      const fresh = chunk.subarray(Math.max(start, chunk.length - LONGEST_LINE))
      if (start === chunk.length) tail = EMPTY
      else if (start > 0) tail = Buffer.from(fresh)
      else tail = Buffer.concat([tail, fresh]).subarray(-LONGEST_LINE)
    },
    /** The line as text; empty if it was drawn by moving the cursor around the screen. */
    text: (): string => plainLine(tail.toString('utf8')),
  }
}

/** Moves the cursor to a row of the screen, as full-screen programs do. */
const DRAWN = /\x1b\[[\d;]*[Hfd]|\x1b\[\?(?:47|104[79])h/
/** Goes back to the first column. */
const TO_START = /\x1b\[[01]?G/g
const SEQUENCE = /\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)?|[ -/]*[0-~])/g

function plainLine(line: string): string {
  if (DRAWN.test(line)) return ''
  const written =
    line
      .replace(TO_START, '\r')
      .replace(SEQUENCE, '')
      .split('\r')
      .findLast((part) => part.trim() !== '') ?? ''
  return written
    .replace(/[\p{Cc}\p{Cf}\uFFFD]/gu, '')
    .trim()
    .slice(-LONGEST_PROMPT)
    .toWellFormed()
}

const CHOICE = String.raw`[[(<][^\])>]{1,60}[\])>]`
/** Lines that are certainly a question. */
const QUESTIONS = [
  new RegExp(String.raw`\p{L}.*\?\s*(?:${CHOICE})?\s*[:>›]?$`, 'u'),
  /[[(<]\s*(?:y|yes|n|no)\s*[/|,].{0,40}[\])>]\s*[?:>›]*$/iu,
  /\b(?:press|hit|type)\b.{0,40}\b(?:key|enter|return|space)\b.{0,40}$/iu,
  /--\s?more\s?--/iu,
  // The prompt of `select` in a shell.
  /^#\?$/,
]
/** A field to fill in; but lines such as `Downloading:` end the same way. */
const FIELD = new RegExp(String.raw`\p{L}.*:\s*(?:${CHOICE})?$`, 'u')

/** A `field` is a question only if a program also reads from the terminal. */
export function kindOfLine(line: string): 'question' | 'field' | null {
  if (QUESTIONS.some((form) => form.test(line))) return 'question'
  return FIELD.test(line) ? 'field' : null
}
