/**
 * Filters a program's output before any terminal parser sees it, in the mirror and in the panes. Colours, cursor
 * movement and everything else that draws pass; what could freeze a parser, reach the clipboard, or make a terminal
 * answer does not:
 *
 * - Counts are clamped: xterm.js loops once per line or column asked for, and `ESC[2147483647S` is thirteen bytes.
 * - Reports of any kind are dropped. A pane never answers a program; the few answers that programs need come from
 *   `terminal-answers.ts`, in one place, while the program runs.
 * - Strings (OSC, DCS, APC, PM, SOS) are dropped except titles, http(s) links and colours, and are bounded in length.
 */
export interface Sanitiser {
  /** Takes decoded text in any pieces; a sequence that is not finished is held back until it is. */
  push(text: string): string
  /** A copy that continues from this point. */
  fork(): Sanitiser
}

export interface SanitiserOptions {
  /** Height of the screen that will show the text; counts are clamped to it. */
  rows(): number
  /** Whether the program still runs; otherwise modes that make a terminal send (mouse, focus) are dropped too. */
  live: boolean
  /**
   * Output that did not go through a terminal ends its lines with a bare line feed, which needs a carriage return to be
   * drawn.
   */
  bareLineFeeds?: boolean
}

const MAX_CSI = 128
const MAX_OSC = 4096
/** A dropped string, such as an image, may be this long; after that its end counts as missing. */
const MAX_DROPPED = 8 * 1024 * 1024
const MAX_TITLE = 200
const MAX_LINK = 2083
const MAX_COUNT = 9999
const MAX_CELLS = 1000

const ESC = 0x1b
const BEL = 0x07
const CAN = 0x18
const SUB = 0x1a

/** ENQ, ESC and the eight-bit controls: all characters that need handling. */
const SPECIAL = /[\x05\x1b\x80-\x9f]/g
/** Colours: by far the most frequent sequence, and harmless. */
const COLOUR = /\x1b\[[0-9;:]{0,64}m/y

const LINE_COUNTS = new Set(['S', 'T', 'L', 'M', 'I', 'Z', ' @', ' A', "'}", "'~"])
const CELL_COUNTS = new Set(['@', 'P', 'X', 'b'])
/** Device attributes, status reports, window operations, terminal parameters, printing. */
const REPORTS = new Set(['c', 'n', 't', 'x', 'i'])
/** Of the sequences with intermediate characters, only these draw or set something that we show. */
const KNOWN_INTERMEDIATES = new Set([' q', ' @', ' A', '!p', '"q', "'}", "'~"])
/** With a private prefix only these: erase selectively, set and reset modes. */
const KNOWN_PRIVATE = new Set(['?J', '?K', '?h', '?l'])
/** Mouse and focus reports: they make the terminal send input that nobody typed. */
const SENDING_MODES = new Set(['9', '1000', '1001', '1002', '1003', '1004', '1005', '1006', '1015', '1016'])

type State = 'ground' | 'escape' | 'csi' | 'csi-ignore' | 'osc' | 'string'

interface Progress {
  state: State
  collected: string
  length: number
}

export function createSanitiser(options: SanitiserOptions, progress?: Progress): Sanitiser {
  let { state, collected, length }: Progress = progress ?? { state: 'ground', collected: '', length: 0 }

  const enter = (next: State) => {
    state = next
    collected = ''
    length = 0
  }

  /** Handles one character outside plain text and returns what may pass; `again` means: treat it as text. */
  const step = (code: number, char: string): string | 'again' => {
    if (code === CAN || code === SUB) {
      enter('ground')
      return ''
    }
    if (state === 'osc' || state === 'string') return stepString(code, char)
    if (code === ESC) {
      enter('escape')
      return ''
    }
    // Control characters inside a sequence act at once, as in a real terminal.
    if (code < 0x20) return code === 0x05 ? '' : char
    if (code === 0x7f) return ''
    if (code > 0x7f) {
      enter('ground')
      return 'again'
    }
    return state === 'escape' ? stepEscape(code, char) : stepCsi(code, char)
  }

  const stepEscape = (code: number, char: string): string => {
    if (code < 0x30) {
      collected += char
      if (collected.length > 3) enter('ground')
      return ''
    }
    const intermediates = collected
    if (intermediates === '') {
      if (char === '[') enter('csi')
      else if (char === ']') enter('osc')
      else if (char === 'P' || char === 'X' || char === '^' || char === '_') enter('string')
      if (state !== 'escape') return ''
    }
    enter('ground')
    // `ESC Z` asks for the type of the terminal; `ESC \` ends a string that has already ended.
    return intermediates === '' && (char === 'Z' || char === '\\') ? '' : `\x1b${intermediates}${char}`
  }

  const stepCsi = (code: number, char: string): string => {
    if (code < 0x40) {
      if (collected.length < MAX_CSI) collected += char
      else state = 'csi-ignore'
      return ''
    }
    const sequence = state === 'csi' ? cleanCsi(collected, char, options) : ''
    enter('ground')
    return sequence
  }

  const stepString = (code: number, char: string): string => {
    const isOsc = state === 'osc'
    if (code === ESC || code === 0x9c || (isOsc && code === BEL)) {
      const sequence = isOsc && length <= MAX_OSC ? cleanOsc(collected) : ''
      enter(code === ESC ? 'escape' : 'ground')
      return sequence
    }
    length++
    if (isOsc && length <= MAX_OSC) collected += char
    else collected = ''
    // A title is never this long and never has line breaks: its terminator is missing.
    if (length > MAX_DROPPED || (isOsc && length > MAX_OSC && code === 0x0a)) enter('ground')
    return ''
  }

  const clean = (text: string): string => {
    let out = ''
    let at = 0
    let kept = 0
    while (at < text.length) {
      if (state !== 'ground') {
        const passed = step(text.charCodeAt(at), text[at] as string)
        if (passed === 'again') {
          kept = at
          continue
        }
        at++
        kept = at
        out += passed
        continue
      }
      SPECIAL.lastIndex = at
      if (!SPECIAL.test(text)) break
      const found = SPECIAL.lastIndex - 1
      COLOUR.lastIndex = found
      if (COLOUR.test(text)) {
        at = COLOUR.lastIndex
        continue
      }
      at = found + 1
      const next = stateAfter(text.charCodeAt(found))
      if (next === 'pass') continue
      out += text.slice(kept, found)
      kept = at
      if (next !== 'drop') enter(next)
    }
    // Inside a sequence there is no text left to pass.
    if (state !== 'ground') return out
    return kept === 0 ? text : out + text.slice(kept)
  }

  return {
    push: (text) => (options.bareLineFeeds ? clean(text).replace(/\r?\n/g, '\r\n') : clean(text)),
    fork: () => createSanitiser(options, { state, collected, length }),
  }
}

function stateAfter(code: number): State | 'pass' | 'drop' {
  switch (code) {
    case ESC:
      return 'escape'
    case 0x9b:
      return 'csi'
    case 0x9d:
      return 'osc'
    case 0x90:
    case 0x98:
    case 0x9e:
    case 0x9f:
      return 'string'
    case 0x05: // ENQ: answer back
    case 0x9a: // DECID
    case 0x9c: // a string's end without a string
      return 'drop'
    default:
      return 'pass'
  }
}

function cleanCsi(body: string, final: string, options: SanitiserOptions): string {
  const parts = /^([<=>?]?)([0-9;:]*)([ -/]*)$/.exec(body)
  if (!parts) return ''
  const [, prefix = '', parameters = '', intermediates = ''] = parts
  if (REPORTS.has(final) && intermediates === '') return ''
  if (intermediates !== '' && !KNOWN_INTERMEDIATES.has(intermediates + final)) return ''
  if (prefix !== '' && !KNOWN_PRIVATE.has(prefix + final)) return ''
  if (prefix === '?' && final === 'h' && !options.live) {
    const modes = parameters.split(';').filter((mode) => !SENDING_MODES.has(mode))
    return modes.length === 0 ? '' : `\x1b[?${modes.join(';')}h`
  }
  const kind = intermediates + final
  const limit = LINE_COUNTS.has(kind) ? Math.max(1, options.rows()) : CELL_COUNTS.has(kind) ? MAX_CELLS : MAX_COUNT
  const clamped = parameters.replace(/\d{2,}/g, (digits) => (Number(digits) > limit ? `${limit}` : digits))
  return `\x1b[${prefix}${clamped}${intermediates}${final}`
}

function cleanOsc(body: string): string {
  const separator = body.indexOf(';')
  const kind = separator === -1 ? body : body.slice(0, separator)
  const value = separator === -1 ? '' : body.slice(separator + 1)
  switch (kind) {
    case '0':
    case '1':
    case '2':
      return `\x1b]${kind};${cleanTitle(value)}\x07`
    case '8':
      return cleanLink(value)
    case '4':
    case '10':
    case '11':
    case '12':
      return /^[\w#:/.,; -]+$/.test(value) ? `\x1b]${kind};${value}\x07` : '' // a `?` would ask for the colour
    case '104':
    case '110':
    case '111':
    case '112':
      return /^[\d;]*$/.test(value) ? `\x1b]${body}\x07` : ''
    default:
      return ''
  }
}

function cleanTitle(title: string): string {
  return title.replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, '').slice(0, MAX_TITLE)
}

/** A link that is not to the web closes the one before it, so that its text is plain text. */
function cleanLink(value: string): string {
  const separator = value.indexOf(';')
  const id = /(?:^|:)id=([\w.-]{1,64})(?::|$)/.exec(value.slice(0, Math.max(0, separator)))?.[1]
  const uri = value.slice(separator + 1)
  const safe = uri.length <= MAX_LINK && /^https?:\/\/[\x21-\x7e]+$/i.test(uri)
  return safe ? `\x1b]8;${id ? `id=${id}` : ''};${uri}\x07` : '\x1b]8;;\x07'
}
