import type { Effort, ProviderKind } from '../../src-preload/contract/models'
import { claudeVersion } from './anthropic-thinking'

const usual: readonly Effort[] = ['low', 'medium', 'high']

/** By the beginning of the name, the longest first. Models that are not here have no levels that anybody knows of. */
const byName: [start: RegExp, efforts: readonly Effort[]][] = [
  [/^gpt-5(\.\d)?-chat/, []],
  [/^gpt-5-pro/, ['high']],
  [/^gpt-5\.\d-pro/, ['medium', 'high', 'xhigh']],
  [/^gpt-5\.(1-codex-max|[2-9]-codex)/, ['low', 'medium', 'high', 'xhigh']],
  [/^gpt-5(\.1)?-codex/, usual],
  [/^gpt-5\.1/, ['none', 'low', 'medium', 'high']],
  [/^gpt-5\.[2-9]/, ['none', 'low', 'medium', 'high', 'xhigh']],
  [/^gpt-5/, ['minimal', 'low', 'medium', 'high']],
  [/^gpt-([6-9]|\d\d)/, ['none', 'low', 'medium', 'high', 'xhigh', 'max']],
  [/^(o\d|gpt-oss)/, usual],
  [/^gemini-(2\.5|[3-9])/, usual],
  [/^grok-3-mini/, ['low', 'high']],
]

/** The effort levels of a model; none if it does not think or if they are unknown. */
export const effortsOf = (kind: ProviderKind, name: string): readonly Effort[] => {
  const bare = (name.split('/').at(-1) ?? name).toLowerCase()
  const version = claudeVersion(bare)
  if (version !== null && (kind === 'anthropic' || name.includes('claude'))) {
    if (version < 3.7) return []
    if (version < 4.6 || kind !== 'anthropic') return usual
    return version < 4.7 ? ['low', 'medium', 'high', 'max'] : ['low', 'medium', 'high', 'xhigh', 'max']
  }
  return kind === 'openai' ? (byName.find(([start]) => start.test(bare))?.[1] ?? []) : []
}
