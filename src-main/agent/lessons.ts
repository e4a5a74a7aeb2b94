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
  /** It wants `reasoning_content` in every answer that is sent back, also where there was none. */
  wantsThoughts?: true
  /** The largest answer that may be asked for. */
  maxTokens?: number
  thinking?: 'adaptive' | 'budget' | 'off'
  /** Thoughts of a conversation that has changed are to be dropped rather than refused. */
  dropBlocks?: true
}

export interface LessonBook {
  of(model: string): Readonly<Lesson>
  learn(model: string, lesson: Lesson): void
  /** Takes back what was learnt since, because it did not help. */
  restore(model: string, before: Lesson): void
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
    restore(model: string, before: Lesson): void {
      if (lessons.get(model) === before || !lessons.has(model)) return
      lessons.set(model, before)
      onLearnt?.()
    },
  }
}

/** In the words of OpenAI, DeepSeek, Groq, and gateways to Claude. */
const longestText =
  /max_(?:completion_)?tokens.{0,200}?(?:at most|less than or equal to|range of max_tokens is \[\d+,|: \d+ >) ?[`'"]?(\d+)/is
/** In those of OpenAI, vLLM, SGLang, OpenRouter and Mistral. */
const windowText = /maximum context length (?:is|of) (\d+)|model with (\d+) maximum context length/i

/**
 * The longest answer that a server takes, by a refusal of one that was too long. Of a window that is smaller than was
 * thought it is a quarter. Null when a shorter one would not help.
 */
export const longestAllowed = (said: string, sent: number): number | null => {
  const [, own] = longestText.exec(said) ?? []
  const [, first, second] = windowText.exec(said) ?? []
  const allowed = own ? Number(own) : Math.max(1024, Math.floor(Number(first ?? second) / 4))
  return allowed > 0 && allowed < sent ? allowed : null
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
