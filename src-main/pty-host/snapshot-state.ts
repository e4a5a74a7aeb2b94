import type { Terminal } from '@xterm/headless'

/** Internal parts of xterm.js that decide where and how the next character is drawn. */
interface Core {
  buffer: {
    x: number
    y: number
    ybase: number
    scrollTop: number
    scrollBottom: number
    savedX: number
    savedY: number
    savedCharset: Charset
  }
  coreService: {
    isCursorHidden: boolean
    decPrivateModes: { origin: boolean; cursorStyle?: keyof typeof CURSOR_STYLES; cursorBlink?: boolean }
  }
  coreMouseService: { activeEncoding: string }
  _charsetService: { glevel: number; charset: Charset; _charsets: Charset[] }
}
type Charset = Record<string, string> | undefined

const CURSOR_STYLES = { block: 1, underline: 3, bar: 5 }
const MOUSE_ENCODINGS = new Map([
  ['SGR', '\x1b[?1006h'],
  ['SGR_PIXELS', '\x1b[?1016h'],
])

/**
 * The state that a serialized screen leaves out, as sequences to append: scroll region, character sets, saved cursor,
 * cursor style and exact position, and mouse reporting. Programs rely on what they have set, and do not set it again
 * after a window was reloaded.
 */
export function stateBeyondText(terminal: Terminal): string {
  const {
    buffer,
    coreService,
    coreMouseService,
    _charsetService: charsets,
  } = (terminal as unknown as { _core: Core })._core
  const { origin, cursorStyle, cursorBlink } = coreService.decPrivateModes
  const { scrollTop, scrollBottom, savedX } = buffer
  const savedY = Math.max(0, buffer.savedY - buffer.ybase)
  const hasSaved = savedX > 0 || savedY > 0 || buffer.savedCharset !== undefined
  const hasRegion = scrollTop > 0 || scrollBottom < terminal.rows - 1

  let text = ''
  if (hasSaved) text += `\x1b[?6l${moveTo(savedX, savedY)}${designate(0, buffer.savedCharset)}\x1b7`
  for (const [level, charset] of charsets._charsets.entries()) text += designate(level, charset)
  if (charsets.glevel === 1) text += '\x0e'
  if (hasRegion) text += `\x1b[${scrollTop + 1};${scrollBottom + 1}r`
  if (origin) text += '\x1b[?6h'
  // A cursor that is about to wrap after the last column can only be put there by writing text, as the serializer did.
  const stands = buffer.x === terminal.cols && !hasSaved && !hasRegion && !origin
  if (!stands) text += moveTo(Math.min(buffer.x, terminal.cols - 1), buffer.y - (origin ? scrollTop : 0))

  if (cursorStyle) text += `\x1b[${CURSOR_STYLES[cursorStyle] + (cursorBlink ? 0 : 1)} q`
  text += MOUSE_ENCODINGS.get(coreMouseService.activeEncoding) ?? ''
  if (coreService.isCursorHidden) text += '\x1b[?25l'
  return text
}

const moveTo = (x: number, y: number) => `\x1b[${y + 1};${x + 1}H`

/** Only line drawing is distinguished from plain characters; the national sets of old terminals are not in use. */
function designate(level: number, charset: Charset): string {
  const into = '()*+'[level]
  return into && charset ? `\x1b${into}${charset.q === '─' ? '0' : 'B'}` : ''
}

/**
 * Corrects two faults of the serializer. Where a row is empty and the next one had wrapped, it moves by zero columns,
 * which a terminal treats as one, leaving a stray character. And it starts the alternate screen in the colours that
 * apply at its end.
 */
export const mendSerialized = (text: string): string =>
  text.replaceAll(/\x1b\[0[CD]/g, '').replace('\x1b[?1049h\x1b[H', '$&\x1b[0m')
