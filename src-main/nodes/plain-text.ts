/** The longest line that is kept in cells, as a terminal would; a longer one is passed on in pieces. */
const MAX_CELLS = 16_384
/** An escape sequence that is still unfinished after this many characters is dropped. */
const MAX_SEQUENCE = 4096
const MAX_MOVE = 1000
const LINE_MOVES = new Set(['K', 'G', 'C', 'D', 'P'])

/** One whole control sequence: CSI, OSC, the other strings, and two- or three-byte escapes. */
const SEQUENCE =
  /(?:\x1b\[|\x9b)([0-?]*)[ -/]*([@-~])|(?:\x1b\]|\x9d)[^\x07\x1b\x9c]*(?:\x07|\x9c|\x1b\\)|(?:\x1b[PX^_]|[\x90\x98\x9e\x9f])[^\x1b\x9c]*(?:\x9c|\x1b\\)|\x1b[ -/]*[0-OQ-WYZ\\`-~]/y
/** The start of a sequence that needs more characters. */
const UNFINISHED =
  /(?:(?:\x1b\[|\x9b)[0-?]*[ -/]*|(?:\x1b\]|\x9d)[^\x07\x1b\x9c]*\x1b?|(?:\x1b[PX^_]|[\x90\x98\x9e\x9f])[^\x1b\x9c]*\x1b?|\x1b[ -/]*)$/y
/** Colours do not move the cursor, so they are removed first. */
const COLOUR = /\x1b\[[0-9;:]*m/g
/** Everything that needs attention; line breaks and tabs do not. */
const SPECIAL = /[\x00-\x08\x0b-\x1f\x7f-\x9f]/g

/**
 * Turns terminal output into the text that it leaves on the screen: no colours, `\n` at line ends, and carriage returns
 * and backspaces applied within their line. Lines above are never rewritten, so a program cannot take back what it
 * printed. Accepts input in any pieces, in linear time and bounded memory.
 */
interface PlainText {
  /** Adds raw text and returns what is final. */
  push(text: string): string
  /** Returns the rest, the unfinished last line. */
  end(): string
}

export function createPlainText(): PlainText {
  let held = ''
  const line = createLine()

  const push = (text: string): string => {
    let input = held + text
    held = ''
    if (input.includes('\x1b')) input = input.replace(COLOUR, '')
    if (input.includes('\r\n')) input = input.replaceAll('\r\n', '\n')
    let out = ''
    let at = 0
    while (at < input.length) {
      SPECIAL.lastIndex = at
      const next = SPECIAL.exec(input)?.index ?? input.length
      if (next > at) {
        out += line.putLines(input.slice(at, next))
        at = next
        continue
      }
      const char = input[at]
      if (char === '\r') {
        line.moveTo(0)
        at++
        continue
      }
      if (char === '\b') {
        line.moveBy(-1)
        at++
        continue
      }
      SEQUENCE.lastIndex = at
      const match = SEQUENCE.exec(input)
      if (match) {
        if (match[2] && LINE_MOVES.has(match[2])) line.control(match[1] ?? '', match[2])
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
    return out
  }

  return {
    push,
    end() {
      held = ''
      return line.take()
    },
  }
}

/** The line that is being printed. It is passed on when it ends, or when it gets too long. */
function createLine() {
  /** A string while text is only appended, cells once the cursor has moved back. */
  let line = ''
  let cells: string[] | null = null
  let column = 0

  const take = (): string => {
    const text = cells ? cells.join('') : line
    line = ''
    cells = null
    column = 0
    return text
  }
  const openCells = (): string[] => {
    if (cells) return cells
    cells = [...line]
    column = cells.length
    return cells
  }
  const put = (text: string): string => {
    if (!cells) line += text
    else {
      for (const char of text) {
        while (cells.length < column) cells.push(' ')
        cells[column] = char
        column++
      }
    }
    return line.length > MAX_CELLS || column > MAX_CELLS ? take() : ''
  }
  /** Text without special characters: its whole lines pass through unchanged. */
  const putLines = (text: string): string => {
    const first = text.indexOf('\n') + 1
    if (first === 0) return put(text)
    const last = text.lastIndexOf('\n') + 1
    const begun = put(text.slice(0, first - 1))
    return `${begun}${take()}\n${text.slice(first, last)}${put(text.slice(last))}`
  }
  /** A sequence that moves the cursor in its line, or clears a part of it. */
  const control = (parameters: string, final: string) => {
    const row = openCells()
    const count = Math.min(MAX_MOVE, Number.parseInt(parameters, 10) || 0)
    if (final === 'K') {
      if (count === 0) row.length = Math.min(row.length, column)
      else if (count === 1) row.fill(' ', 0, Math.min(row.length, column + 1))
      else row.length = 0
    } else if (final === 'G') column = Math.max(0, count - 1)
    else if (final === 'C') column += Math.max(1, count)
    else if (final === 'D') column = Math.max(0, column - Math.max(1, count))
    else if (final === 'P') row.splice(column, Math.max(1, count))
  }

  return {
    take,
    putLines,
    control,
    moveTo: (next: number): void => {
      openCells()
      column = next
    },
    moveBy: (count: number): void => {
      openCells()
      column = Math.max(0, column + count)
    },
  }
}

export function plainText(text: string): string {
  const plain = createPlainText()
  return plain.push(text) + plain.end()
}
