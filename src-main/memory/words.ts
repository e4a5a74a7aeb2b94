import type { MemoryRows } from './rows'

/** Words that questions are made of and that say nothing about what is asked. */
const empty = new Set(
  (
    'a about again all also am an and any are as at be because been before being but by can could did do does doing for ' +
    'from get give had has have having he her here him his how i if in into is it its just know like many me more most ' +
    'much my no not of on one or our out over please she should so some tell than that the their them then there these ' +
    'they this those to too up us use very was we were what when where which who whom whose why will with would you your'
  ).split(' '),
)

const mostWords = 24

/** The words of a question that carry it; all of them where none does. */
export function wordsOf(query: string): string[] {
  const words = [...new Set(query.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [])]
  const telling = words.filter((word) => !empty.has(word))
  return (telling.length > 0 ? telling : words).slice(0, mostWords)
}

/**
 * How much of what a question says is in each passage, from 0 to 1: rare words weigh more than common ones, and a word
 * that nobody ever noted counts against all of them. `mine` tells which passages there are to look at.
 */
export function coverage(query: string, mine: { size: number; has(id: number): boolean }, rows: MemoryRows) {
  const found = new Map<number, number>()
  // What stands in every third passage tells none of them apart.
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
