import { estimateOverhead, estimateText, estimateTokens } from './context'
import type { Model, ModelRequest } from './model'
import type { TokenUsage } from './usage'

type Asked = Pick<ModelRequest, 'system' | 'messages' | 'tools'>

/**
 * About what an answer took, where nobody says: some servers never do, and none does for an answer that was stopped or
 * broke off. It is paid for all the same, and a cap that counted nothing would never be reached.
 */
export const unreportedUsage = ({ free }: Model, asked: Asked, said: readonly string[]): TokenUsage | null =>
  free
    ? null
    : {
        inputTokens: estimateOverhead(asked.system, asked.tools) + estimateTokens(asked.messages),
        outputTokens: said.reduce((sum, text) => sum + estimateText(text), 0),
        cachedTokens: 0,
      }
