import type { Screen } from './process'

/** Finds a menu that is used with the arrow keys, on the screen of a program that waits there. */

const TAIL_BYTES = 8192
const EMPTY = Buffer.alloc(0)
const LONGEST_TEXT = 200
/** Rows between the first entry and the question above it. */
const QUESTION_ROWS = 3
/** Rows of a widget without marks below its question. */
const WIDGET_ROWS = 12

/** The latest output, as bytes. */
export function createTail() {
  let tail = EMPTY
  return {
    add(chunk: Uint8Array): void {
      const fresh = chunk.subarray(Math.max(0, chunk.length - TAIL_BYTES))
      tail = Buffer.concat([tail, fresh]).subarray(-TAIL_BYTES)
    },
    text: (): string => tail.toString('utf8'),
  }
}

const MARKS = '❯›▸▶➤➜»⯈▌>'
/** The selected entry: only a mark precedes it, perhaps with a frame or a check box. */
const CHOSEN = new RegExp(
  `^([\\s│┃|]*)([${MARKS}])(?:\\s{0,3}(?:[◉◯○●☐☑◻◼□■]\\s+|\\[[ xX*]\\]\\s*|\\([ xX*]\\)\\s*)|\\s{1,3}|(?<=▌))(?=\\S)`,
  'u',
)
/** In some lists the selected entry is the only filled circle. */
const FILLED = /^[\s│┃|]*[●◉]\s+\S/u
const HOLLOW = /^[\s│┃|]*[○◯]\s+\S/u

/** The question of a widget that has not been answered; once answered, it gets another mark. */
const OPEN_QUESTION = /^\s*[?◆]\s+\S/u

/** What some widgets print after their question. */
const HINT = /\s*[›…»]\s*(?:- .*)?$/u

/**
 * Widgets color the selected entry and their marks, or hide the cursor; text that only looks like a menu does neither.
 */
const COLOR = String.raw`\x1b\[(?!0?m)[\d;]+m`
const STYLED = new RegExp(`${COLOR}[ │┃|]{0,6}[${MARKS}●◉?◆]|[${MARKS}●◉] ?${COLOR}`, 'u')
/** Moves the cursor to a place on the screen, as full-screen programs do. */
const DRAWN = /\x1b\[[\d;]*[Hfd]/

/** Whether the latest output may be a widget, so that the screen should be checked. */
export const mayBeMenu = (output: string): boolean =>
  !DRAWN.test(output) && (isCursorHidden(output) || STYLED.test(output))

const isCursorHidden = (output: string): boolean => output.lastIndexOf('\x1b[?25l') > output.lastIndexOf('\x1b[?25h')

/**
 * What a widget on the screen asks, or its entries if there is no question above them; `null` if there is no widget.
 */
export function menuOn({ rows, cursor, alternate }: Screen, output: string): string | null {
  if (alternate) return null
  const block = circlesIn(rows) ?? entriesIn(rows) ?? openQuestionIn(rows)
  if (!block) return null
  const { first, last } = block
  // A visible cursor is in the widget, right below it, or in the question.
  if (!isCursorHidden(output) && (cursor.y < first - QUESTION_ROWS || cursor.y > last + QUESTION_ROWS)) return null
  const above = rows.slice(Math.max(0, first - QUESTION_ROWS), first + 1).filter((row) => OPEN_QUESTION.test(row))
  const before = rows.slice(Math.max(0, first - QUESTION_ROWS), first).filter((row) => /\p{L}/u.test(row))
  const question = above.at(-1) ?? before.at(-1)
  const entries = rows.slice(first, last + 1).map((row) => plain(row).replace(/^[^\p{L}\p{N}]+/u, ''))
  return (question ? plain(question).replace(HINT, '') : entries.join(' / ')).slice(0, LONGEST_TEXT).toWellFormed()
}

interface Block {
  first: number
  last: number
}

/** Rows of which exactly one is marked, with all texts starting in the same column. */
function entriesIn(rows: readonly string[]): Block | null {
  // The lowest one: those above may be answered already.
  for (let at = rows.length - 1; at >= 0; at--) {
    const found = CHOSEN.exec(rows[at] ?? '')
    if (!found) continue
    const column = width(found[0])
    const frame = width(found[1] ?? '')
    const isEntry = (row: string | undefined): boolean => row !== undefined && startsAt(row, column, frame)
    let [first, last] = [at, at]
    while (isEntry(rows[first - 1])) first--
    while (isEntry(rows[last + 1])) last++
    const marked = [rows[first - 1], rows[last + 1]].some((row) => CHOSEN.test(row ?? ''))
    if (last > first && !marked) return { first, last }
  }
  return null
}

/** A row without a mark whose text starts in this column, perhaps after a frame and a check box. */
function startsAt(row: string, column: number, frame: number): boolean {
  const head = [...row].slice(0, column).join('')
  const text = [...row].slice(column).join('')
  return (
    /^\S/u.test(text) &&
    !CHOSEN.test(row) &&
    /^[\s│┃|◯○●◉☐☑◻◼□■[\]()xX*]*$/u.test(head) &&
    /^\s*$/.test(head.slice(frame, frame + 1))
  )
}

function circlesIn(rows: readonly string[]): Block | null {
  const at = rows.findLastIndex((row) => FILLED.test(row))
  let [first, last] = [at, at]
  while (at >= 0 && HOLLOW.test(rows[first - 1] ?? '')) first--
  while (at >= 0 && HOLLOW.test(rows[last + 1] ?? '')) last++
  return last > first ? { first, last } : null
}

/** The last open question, if nothing but a few rows of the widget follows it. */
function openQuestionIn(rows: readonly string[]): Block | null {
  const at = rows.findLastIndex((row) => OPEN_QUESTION.test(row))
  const end = rows.findLastIndex((row) => row.trim() !== '')
  return at >= 0 && end - at <= WIDGET_ROWS ? { first: at, last: end } : null
}

const width = (text: string): number => [...text].length

/** Without frames and marks around it. */
const plain = (row: string): string =>
  row
    .replace(/^[\s│┃|?◆◇✔✓]+/u, '')
    .replace(/[\s│┃|]+$/u, '')
    .replace(/[\p{Cc}\p{Cf}]/gu, '')
