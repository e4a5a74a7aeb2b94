import type { MemoryRows } from './rows'

/** Stop words: common in questions, but without meaning for the search. */
const empty = new Set(
  (
    'a about again all also am an and any are as at be because been before being but by can could did do does doing for ' +
    'from get give had has have having he her here him his how i if in into is it its just know like many me more most ' +
    'much my no not of on one or our out over please she should so some tell than that the their them then there these ' +
    'they this those to too up us use very was we were what when where which who whom whose why will with would you your'
  ).split(' '),
)

const mostWords = 24

/** The words of a question without stop words; all words if nothing else is left. */
export function wordsOf(query: string): string[] {
  const words = [...new Set(query.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [])]
  const telling = words.filter((word) => !empty.has(word))
  return (telling.length > 0 ? telling : words).slice(0, mostWords)
}

/**
 * The share of a question's words that each passage contains, from 0 to 1. Rare words weigh more than common ones, and
 * a word that is in no passage lowers the score of all. `mine` is the set of passages to search.
 */
export function coverage(query: string, mine: { size: number; has(id: number): boolean }, rows: MemoryRows) {
  const found = new Map<number, number>()
  // Words in more than a third of the passages are ignored, since they do not help to tell them apart.
  const tooMany = Math.max(50, Math.floor(mine.size / 3))
  let whole = 0
  for (const word of wordsOf(query)) {
    const holding = rows.holding(word, tooMany + 1)
    if (holding.length > tooMany) continue
    const here = holding.filter((id) => mine.has(id))
    const weight = Math.log(1 + mine.size / Math.max(here.length, 0.5))
    whole += weight
    for (const id of here) found.set(id, (found.get(id) ?? 0) + weight)
  }
  for (const [id, weight] of found) found.set(id, weight / whole)
  return found
}
