/**
 * What a server has turned out not to understand, learnt from its refusals. Vendors drop parameters and interfaces from one
 * model to the next, and no table keeps up with them.
 */
export interface Lesson {
  /** The interface that it is spoken to by, of those that OpenAI has. */
  api?: 'chat' | 'responses' | null
  /** It has no Responses API at all. */
  noResponses?: boolean
  /** Names of parameters that it refuses. */
  refused?: string[]
  /** The name of the limit on an answer, where it is not `max_tokens`. */
  limit?: 'max_completion_tokens'
  /** Thinking has to be turned off in words. */
  effortNone?: true
  /** The largest answer that Anthropic's model takes. */
  maxTokens?: number
  thinking?: 'adaptive' | 'budget' | 'off'
  /** Thoughts of a conversation that has changed are to be dropped rather than refused. */
  dropBlocks?: true
}

export interface LessonBook {
  of(model: string): Readonly<Lesson>
  learn(model: string, lesson: Lesson): void
}

/** For as long as this object lives. */
export const newLessonBook = (known: Iterable<[string, Lesson]> = [], onLearnt?: () => void) => {
  const lessons = new Map<string, Lesson>(known)
  return {
    lessons,
    of: (model: string): Readonly<Lesson> => lessons.get(model) ?? {},
    learn(model: string, lesson: Lesson): void {
      lessons.set(model, { ...lessons.get(model), ...lesson })
      onLearnt?.()
    },
  }
}

/** The first of these parameters that a refusal speaks of, and that has not been refused before. */
export const refusedParameter = (
  names: readonly string[],
  { param, said }: { param: string; said: string },
  { refused = [] }: Lesson,
): string | undefined =>
  names.find(
    (name) =>
      !refused.includes(name) && (param === name || new RegExp(`\\b${name.replaceAll('.', '\\.')}\\b`).test(said)),
  )
