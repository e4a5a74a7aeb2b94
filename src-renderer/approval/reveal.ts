/** A stretch of text to show as it is, or one character that must not pass unseen. */
type Segment =
  | { kind: 'plain'; text: string }
  /** Cannot be seen, or changes how its neighbours are shown. */
  | { kind: 'hidden'; text: string; label: string; name: string }
  /** Looks like a Latin letter amid Latin letters and is not one. */
  | { kind: 'lookalike'; text: string; label: string; name: string }

/** Controls, format and fill characters, every space but the plain one, and halves of pairs. Line feeds show by themselves. */
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

/** Splits text so that every character which could deceive the reader stands alone and can be marked. */
export function reveal(text: string): Segment[] {
  const segments: Segment[] = []
  let plain = ''
  const flush = () => {
    if (plain) segments.push({ kind: 'plain', text: plain })
    plain = ''
  }
  for (const run of text.split(/([\p{L}\p{M}\p{N}_]+)/u)) {
    const mixed = LATIN.test(run) && FOREIGN.test(run)
    for (const character of run) {
      const code = character.codePointAt(0) ?? 0
      if (HIDDEN.test(character)) {
        flush()
        segments.push({
          kind: 'hidden',
          text: character,
          label: label(code),
          name: NAMES[code] ?? 'invisible character',
        })
      } else if (mixed && FOREIGN.test(character)) {
        flush()
        segments.push({
          kind: 'lookalike',
          text: character,
          label: label(code),
          name: 'looks like a Latin letter but is not',
        })
      } else plain += character
    }
  }
  flush()
  return segments
}

/** How many characters of a text could deceive the reader, tabs left out. */
export const deceptive = (text: string) =>
  reveal(text).filter((segment) => segment.kind !== 'plain' && segment.text !== '\t').length
