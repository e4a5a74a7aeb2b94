/** What a terminal would have left on a line is kept in cells up to here; a longer line is passed on in pieces. */
const MAX_CELLS = 16_384
/** An escape sequence that is still unfinished after this many characters is dropped. */
const MAX_SEQUENCE = 4096
const MAX_MOVE = 1000

/** One whole control sequence: CSI, OSC, the other strings, and two- or three-byte escapes. */
const SEQUENCE =
  /(?:\x1b\[|\x9b)([0-?]*)[ -/]*([@-~])|(?:\x1b\]|\x9d)[^\x07\x1b\x9c]*(?:\x07|\x9c|\x1b\\)|(?:\x1b[PX^_]|[\x90\x98\x9e\x9f])[^\x1b\x9c]*(?:\x9c|\x1b\\)|\x1b[ -/]*[0-OQ-WYZ\\`-~]/y
/** The start of one that needs more characters. */
const UNFINISHED =
  /(?:(?:\x1b\[|\x9b)[0-?]*[ -/]*|(?:\x1b\]|\x9d)[^\x07\x1b\x9c]*\x1b?|(?:\x1b[PX^_]|[\x90\x98\x9e\x9f])[^\x1b\x9c]*\x1b?|\x1b[ -/]*)$/y
const CONTROL = /[\x00-\x08\x0b-\x1f\x7f-\x9f]/
const NEXT_CONTROL = /[\x00-\x08\x0a-\x1f\x7f-\x9f]/g

/**
 * Turns terminal output into the text that a reader would have been left with: no colours, `\n` at line ends, and
 * carriage returns and backspaces carried out within their line. Lines above are never rewritten, so a program cannot
 * take back what it printed. Takes any amount in any pieces, in linear time and bounded memory.
 */
export interface PlainText {
  /** Adds raw text and returns what is final. */
  push(text: string): string
  /** Returns the rest, the unfinished last line. */
  end(): string
}

export function createPlainText(): PlainText {
  let held = ''
  let cells: string[] = []
  let column = 0

  const takeLine = (): string => {
    const line = cells.join('')
    cells = []
    column = 0
    return line
  }
  const put = (text: string) => {
    for (const char of text) {
      while (cells.length < column) cells.push(' ')
      cells[column] = char
      column++
    }
  }
  const move = (parameters: string, final: string) => {
    const count = Math.min(MAX_MOVE, Number.parseInt(parameters, 10) || 0)
    if (final === 'K') {
      if (count === 0) cells.length = Math.min(cells.length, column)
      else if (count === 1) cells.fill(' ', 0, Math.min(cells.length, column + 1))
      else cells = []
    } else if (final === 'G') column = Math.max(0, count - 1)
    else if (final === 'C') column += Math.max(1, count)
    else if (final === 'D') column = Math.max(0, column - Math.max(1, count))
    else if (final === 'P') cells.splice(column, Math.max(1, count))
  }

  const push = (text: string): string => {
    // Most output is plain: nothing open, nothing to carry out.
    if (held === '' && cells.length === 0 && column === 0 && !CONTROL.test(text)) {
      const lastBreak = text.lastIndexOf('\n') + 1
      if (text.length - lastBreak > MAX_CELLS) return text
      put(text.slice(lastBreak))
      return text.slice(0, lastBreak)
    }
    const input = held + text
    held = ''
    let out = ''
    let at = 0
    while (at < input.length) {
      NEXT_CONTROL.lastIndex = at
      const next = NEXT_CONTROL.exec(input)?.index ?? input.length
      if (next > at) {
        // A line that is not begun yet and ends in a plain line break needs no cells.
        const whole = cells.length === 0 && column === 0
        if (whole && input[next] === '\n') {
          out += input.slice(at, next + 1)
          at = next + 1
          continue
        }
        if (whole && input[next] === '\r' && input[next + 1] === '\n') {
          out += `${input.slice(at, next)}\n`
          at = next + 2
          continue
        }
        put(input.slice(at, next))
        if (column > MAX_CELLS) out += takeLine()
        at = next
        continue
      }
      const char = input[at]
      if (char === '\n') {
        out += `${takeLine()}\n`
        at++
      } else if (char === '\r') {
        column = 0
        at++
      } else if (char === '\b') {
        column = Math.max(0, column - 1)
        at++
      } else {
        SEQUENCE.lastIndex = at
        const match = SEQUENCE.exec(input)
        if (match) {
          if (match[2]) move(match[1] ?? '', match[2])
          at = SEQUENCE.lastIndex
          continue
        }
        UNFINISHED.lastIndex = at
        if (input.length - at < MAX_SEQUENCE && UNFINISHED.test(input)) {
          held = input.slice(at)
          break
        }
        at++
      }
    }
    return out
  }

  return {
    push,
    end() {
      held = ''
      return takeLine()
    },
  }
}

export function plainText(text: string): string {
  const plain = createPlainText()
  return plain.push(text) + plain.end()
}
