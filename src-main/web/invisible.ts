/**
 * Characters that are invisible to people but not to a model: zero-width characters, direction marks, soft hyphens,
 * variation selectors beyond those of emoji, and the tag block. Joiners stay between letters that need them.
 */
const unseen =
  // biome-ignore lint/suspicious/noMisleadingCharacterClass: each is meant by itself
  /[\u00AD\u034F\u061C\u115F\u1160\u17B4\u17B5\u180B-\u180F\u200B\u200E\u200F\u202A-\u202E\u2060-\u206F\u3164\uFEFF\uFFA0\uFFF9-\uFFFB\u{1D173}-\u{1D17A}\u{E0000}-\u{E0FFF}]/gu
const joiner = '(?:\\u200C|\\u200D)'
const strayJoiner = new RegExp(`(?<!\\p{L}|\\p{M}|\\p{Extended_Pictographic}|\\uFE0F)${joiner}+|${joiner}{2,}`, 'gu')
const control = /[\0-\x08\x0B\x0C\x0E-\x1F\x7F-\x9F]/g

/** Removes invisible characters from untrusted text. */
export const visibleText = (text: string): string =>
  text.toWellFormed().replace(unseen, '').replace(strayJoiner, '').replace(control, '')
