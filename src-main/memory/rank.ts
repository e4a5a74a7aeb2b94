interface Ranked {
  id: number
  score: number
}

/** What the meaning weighs; the words have the rest. */
const meaningShare = 0.7
const wholly = 0.999

/**
 * Passages in the order in which they answer a question. The score is 0.7 meaning and 0.3 words, and words never count for
 * less than the meaning does: a paraphrase is not held against a passage. What is not near enough in meaning is left out
 * by the cosine alone, so that the best of nothing is nothing; only a passage that holds every word of the question stays.
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
  // Those whose meaning is not known yet have only their words.
  for (const [id, share] of words) if (!nearness.has(id) && share >= minScore) found.push({ id, score: share })
  return found.sort((one, other) => other.score - one.score || one.id - other.id).slice(0, limit)
}
