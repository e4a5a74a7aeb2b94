interface Ranked {
  id: number
  score: number
}

/** Weight of the meaning; the words get the rest. */
const meaningShare = 0.7
const wholly = 0.999

/**
 * Sorts passages by how well they answer a question. The score is 0.7 meaning + 0.3 words, where the word score is at
 * least the meaning score, so that a paraphrase is not penalized. A passage whose meaning alone scores below the
 * minimum is left out, even if it is the best one, unless it contains every word of the question.
 */
export function rank(
  nearness: { ids: readonly number[]; cosines: ArrayLike<number>; has(id: number): boolean },
  words: ReadonlyMap<number, number>,
  scale: (cosine: number) => number,
  { limit, minScore }: { limit: number; minScore: number },
): Ranked[] {
  const found: Ranked[] = []
  nearness.ids.forEach((id, place) => {
    const meaning = scale(nearness.cosines[place] ?? 0)
    const share = words.get(id) ?? 0
    const score = meaningShare * meaning + (1 - meaningShare) * Math.max(meaning, share)
    if (meaning >= minScore || (share >= wholly && score >= minScore)) found.push({ id, score })
  })
  // Passages without a vector are scored by words only.
  for (const [id, share] of words) if (!nearness.has(id) && share >= minScore) found.push({ id, score: share })
  return found.sort((one, other) => other.score - one.score || one.id - other.id).slice(0, limit)
}
