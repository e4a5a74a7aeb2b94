/**
 * Characters that a reader cannot see or that change how the rest is shown: controls, bidirectional overrides, zero-width
 * and other default-ignorable ones, tags, unusual spaces and line separators, lone surrogates.
 */
const INVISIBLE =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u00a0\u00ad\u061c\u115f\u1160\u1680\u180e\u2000-\u200f\u2028-\u202f\u205f-\u206f\u2800\u3000\u3164\ufeff\uffa0\ufff0-\ufffb\u{1bca0}-\u{1bca3}\u{1d173}-\u{1d17a}\p{Cs}]|\u034f|[\u17b4\u17b5]|[\u180b-\u180d]|\u180f|[\ufe00-\ufe0f]|[\u{e0000}-\u{e0fff}]/u

const EVERY_INVISIBLE = new RegExp(INVISIBLE.source, 'gu')
const ASCII = /^[\t\n\x20-\x7e]*$/

interface InvisibleCharacter {
  /** UTF-16 offset. */
  index: number
  /** Such as `U+202E`. */
  name: string
}

/** Whether a text holds anything that the eye would miss; tabs and newlines are ordinary. */
export const hasInvisible = (text: string): boolean => !ASCII.test(text) && INVISIBLE.test(text)

export function findInvisible(text: string): InvisibleCharacter[] {
  if (ASCII.test(text)) return []
  return [...text.matchAll(EVERY_INVISIBLE)].map((match) => ({ index: match.index, name: codeName(match[0]) }))
}

/** The text as the card shows it: `ls ⟨U+202E⟩txt`. */
export const makeVisible = (text: string): string =>
  ASCII.test(text) ? text : text.replace(EVERY_INVISIBLE, (character) => `⟨${codeName(character)}⟩`)

/** The text without them, for comparing names. */
export const withoutInvisible = (text: string): string => (ASCII.test(text) ? text : text.replace(EVERY_INVISIBLE, ''))

function codeName(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`
}
