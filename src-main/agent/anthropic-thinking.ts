import type { Refusal } from './failure'
import { type Lesson, refusedParameter } from './lessons'
import { type ModelRequest, thinkingRoom } from './model'

type ThinkingStyle = 'adaptive' | 'budget' | 'off'

/** For models that are told how many tokens they may think. */
const budgets = new Map<string, number>([
  ['low', 2000],
  ['medium', 8000],
  ['high', 24_000],
])

/** Makes the server drop thoughts of a conversation that has changed since, which it refuses otherwise. */
export const bindingBeta = 'thinking-binding-controls-2026-08-01'

/** Which version of Claude a name stands for: `claude-opus-4-7`, `claude-sonnet-4-5-20250929`, `claude-3-7-sonnet-latest`. */
export const claudeVersion = (model: string): number | null => {
  const bare = (model.split('/').at(-1) ?? model).toLowerCase()
  const older = /claude-(\d)(?:[-.](\d))?-(?:opus|sonnet|haiku)/.exec(bare)
  const newer = /claude-[a-z]+-(\d+)(?:[-.](\d{1,2})(?!\d))?/.exec(bare)
  const [, major, minor] = older ?? newer ?? []
  return major === undefined ? null : Number(`${major}.${minor ?? 0}`)
}

/** How a model is asked to think: by a budget up to 4.5, and by itself from 4.6 on, where budgets are refused in the end. */
const thinkingStyle = (model: string): ThinkingStyle | 'unknown' => {
  const version = claudeVersion(model)
  if (version === null) return 'unknown'
  if (version >= 4.6) return 'adaptive'
  return version >= 3.7 ? 'budget' : 'off'
}

/** What a request says about thinking. `mayThink` is for models that must have thought from the first call on. */
export const thinkingPart = (request: ModelRequest, lesson: Lesson, mayThink: () => boolean) => {
  const { refused = [] } = lesson
  const style = lesson.thinking ?? thinkingStyle(request.model)
  const { effort } = request
  if (style === 'adaptive' || (style === 'unknown' && effort))
    return {
      tokens: thinkingRoom,
      fields: {
        thinking: {
          type: 'adaptive',
          ...(!refused.includes('display') && { display: 'summarized' }),
          ...(lesson.dropBlocks && { block_binding: { prefix_mismatch_behavior: 'drop_block' } }),
        },
        ...(effort && !refused.includes('output_config') && { output_config: { effort } }),
      },
    }
  const budget = style === 'budget' ? budgets.get(effort ?? '') : undefined
  if (budget === undefined || !mayThink()) return { tokens: 0, fields: {} }
  return { tokens: budget, fields: { thinking: { type: 'enabled', budget_tokens: budget } } }
}

/** Whether the refusal is about thoughts in the conversation, rather than about a parameter. */
export const isAboutThoughts = ({ said }: Refusal): boolean =>
  /messages\.\d+/.test(said) && /thinking|signature|block_binding/.test(said)

/** The part of a request that its refusal may be about. */
export interface SentThinking {
  thinking?: { type: string; display?: string }
  output_config?: object
}

/** What a refusal teaches about thinking; null when it is about something else. */
export const learnThinking = (refusal: Refusal, lesson: Lesson, sent: SentThinking): Lesson | null => {
  const { refused = [] } = lesson
  const aboutThinking = /thinking/.test(refusal.said)
  const optional = [
    ...(sent.output_config ? ['output_config', 'effort'] : []),
    ...(sent.thinking?.display ? ['display'] : []),
  ]
  const name = refusedParameter(optional, refusal, lesson)
  // A refusal of one way to think may name the other as a remedy.
  if (name && !(aboutThinking && name !== 'display'))
    return { refused: [...refused, name === 'display' ? name : 'output_config'] }
  if (!sent.thinking || !aboutThinking) return null
  // Tried both ways: it does not think.
  if (lesson.thinking) return { thinking: 'off' }
  return { thinking: sent.thinking.type === 'adaptive' ? 'budget' : 'adaptive' }
}
