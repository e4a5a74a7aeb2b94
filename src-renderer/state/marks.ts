/**
 * Characters that combine with the letter before them: accents, joiners, selectors, tags. Real text has a few per
 * letter. A text with thousands of them is an attack on the renderer: one letter with 200,000 accents takes ten seconds
 * to draw. So the window draws a few and says how many it left out; what is stored, copied and run has them all.
 */
const JOINING = '[\\p{M}\\u200c\\u200d\\u{1f3fb}-\\u{1f3ff}\\u{e0020}-\\u{e007f}]'
/** More than any script or emoji puts on one character. */
const most = 8

const pile = new RegExp(`${JOINING}{${most + 1}}`, 'u')
const piles = new RegExp(`(${JOINING}{${most}})(${JOINING}+)`, 'gu')
const runs = new RegExp(`${JOINING}+`, 'gu')
/** None of them is below this range, so most text is recognised quickly. */
const beyondLatin = /[\u0300-\uffff]/

/** Whether some letter has more marks than the window draws. */
export const hasPile = (text: string): boolean => text.length > most && beyondLatin.test(text) && pile.test(text)

/** A text as the window draws it. */
export const drawable = (text: string): string =>
  hasPile(text) ? text.replace(piles, (_, kept: string, rest: string) => kept + leftOut(rest)) : text

/** A text in pieces; those that are not drawn are marked as hidden. */
export const pilesOf = (text: string): { text: string; hidden: boolean }[] => {
  if (!hasPile(text)) return [{ text, hidden: false }]
  const pieces: { text: string; hidden: boolean }[] = []
  let done = 0
  for (const { 1: kept = '', 2: rest = '', index } of text.matchAll(piles)) {
    const start = index + kept.length
    pieces.push({ text: text.slice(done, start), hidden: false }, { text: rest, hidden: true })
    done = start + rest.length
  }
  if (done < text.length) pieces.push({ text: text.slice(done), hidden: false })
  return pieces
}

export const leftOut = (marks: string): string => {
  const count = [...marks].length
  return `⟨${count.toLocaleString('en')} combining ${count === 1 ? 'mark' : 'marks'} hidden⟩`
}

/** The same for output that arrives in pieces, as in a terminal: further marks are dropped silently. */
export function createMarkLimit(): (text: string) => string {
  let open = 0
  return (text) => {
    if (!beyondLatin.test(text)) {
      if (text) open = 0
      return text
    }
    let atEnd = 0
    const limited = text.replace(runs, (run: string, at: number) => {
      const marks = [...run]
      const before = at === 0 ? open : 0
      if (at + run.length === text.length) atEnd = before + marks.length
      return before + marks.length <= most ? run : marks.slice(0, Math.max(0, most - before)).join('')
    })
    open = atEnd
    return limited
  }
}
