import { leftOut, pilesOf } from '../state/marks'

/** A piece of text to show as it is, or something that must be marked: a character, or many marks on one letter. */
type Segment =
  | { kind: 'plain'; text: string }
  /** Too many combining marks to draw. */
  | { kind: 'marks'; text: string; label: string; name: string }
  /** Is invisible, or changes how its neighbors are shown. */
  | { kind: 'hidden'; text: string; label: string; name: string }
  /** Looks like a Latin letter among Latin letters but is not one. */
  | { kind: 'lookalike'; text: string; label: string; name: string }
  /** Everything after very many of these, spelled out; `count` of its characters are such. */
  | { kind: 'rest'; text: string; label: string; name: string; count: number }

/**
 * Control, format and fill characters, every space but the plain one, and lone surrogates. Line feeds are visible
 * anyway.
 */
const HIDDEN =
  /[\0-\t\v-\x1f\x7f-\xa0\u115f\u1160\u2800\u3164\uffa0]|\u034f|[\u17b4\u17b5]|[\u180b-\u180f]|(?! )[\p{Cf}\p{Zs}\p{Zl}\p{Zp}\p{Cs}\p{Co}]|[\ufe00-\ufe0f]|[\u{e0100}-\u{e01ef}]/u

const FOREIGN =
  /\p{Script=Cyrillic}|\p{Script=Greek}|\p{Script=Armenian}|\p{Script=Cherokee}|[\uff01-\uff5e]|[\u{1d400}-\u{1d7ff}]/u
const LATIN = /[A-Za-z]/

const NAMES: Record<number, string> = {
  0: 'null',
  7: 'bell',
  8: 'backspace',
  9: 'tab',
  13: 'carriage return',
  27: 'escape',
  127: 'delete',
  160: 'no-break space',
  173: 'soft hyphen',
  8203: 'zero width space',
  8204: 'zero width non-joiner',
  8205: 'zero width joiner',
  8206: 'left-to-right mark',
  8207: 'right-to-left mark',
  8234: 'left-to-right embedding',
  8235: 'right-to-left embedding',
  8236: 'end of embedding',
  8237: 'left-to-right override',
  8238: 'right-to-left override',
  8232: 'line separator',
  8233: 'paragraph separator',
  8288: 'word joiner',
  8294: 'left-to-right isolate',
  8295: 'right-to-left isolate',
  8296: 'first strong isolate',
  8297: 'end of isolate',
  12644: 'hangul filler',
  65279: 'zero width no-break space',
}

const label = (code: number) => `⟨U+${code.toString(16).toUpperCase().padStart(4, '0')}⟩`

/**
 * After this many the rest is spelled out in one piece: each mark is an element, and the window can draw only so many.
 */
const mostSegments = 1000

/** Splits text so that every character that could deceive the reader is a segment of its own and can be marked. */
export function reveal(text: string): Segment[] {
  const segments: Segment[] = []
  const rest: Extract<Segment, { kind: 'rest' }> = {
    kind: 'rest',
    text: '',
    label: '',
    name: 'shown in full',
    count: 0,
  }
  let plain = ''
  const flush = () => {
    if (plain) segments.push({ kind: 'plain', text: plain })
    plain = ''
  }
  const show = (character: string) => {
    if (segments.length < mostSegments) plain += character
    else add(character, character, 0)
  }
  const mark = (segment: Exclude<Segment, { kind: 'plain' | 'rest' }>) => {
    if (segments.length >= mostSegments) return add(segment.text, segment.label, [...segment.text].length)
    flush()
    segments.push(segment)
  }
  const add = (original: string, spelled: string, count: number) => {
    rest.text += original
    rest.label += spelled
    rest.count += count
  }
  for (const piece of pilesOf(text)) {
    if (piece.hidden) {
      mark({ kind: 'marks', text: piece.text, label: leftOut(piece.text), name: 'on one letter' })
      continue
    }
    for (const run of piece.text.split(/([\p{L}\p{M}\p{N}_]+)/u)) {
      const mixed = LATIN.test(run) && FOREIGN.test(run)
      for (const character of run) {
        const code = character.codePointAt(0) ?? 0
        if (HIDDEN.test(character))
          mark({ kind: 'hidden', text: character, label: label(code), name: NAMES[code] ?? 'invisible character' })
        else if (mixed && FOREIGN.test(character))
          mark({ kind: 'lookalike', text: character, label: label(code), name: 'looks like a Latin letter but is not' })
        else show(character)
      }
    }
  }
  flush()
  return rest.text ? [...segments, rest] : segments
}

/** How many characters of a text could deceive the reader, not counting tabs. */
export const deceptive = (text: string) =>
  reveal(text).reduce((sum, segment) => {
    if (segment.kind === 'rest') return sum + segment.count
    return segment.kind === 'plain' || segment.text === '\t' ? sum : sum + [...segment.text].length
  }, 0)
