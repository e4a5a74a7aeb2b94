export type ProviderKind = 'openai' | 'anthropic'

/** How hard a model thinks before it answers. Each model has some of these, or none. */
export const efforts = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'] as const
export type Effort = (typeof efforts)[number]

export interface Provider {
  id: string
  name: string
  kind: ProviderKind
  baseUrl: string
  /** Whether a key is stored; the key itself never leaves the main process. */
  hasKey: boolean
  /** Found on a usual local port rather than added by the user. */
  detected: boolean
  models: ModelInfo[]
}

export interface ModelInfo {
  /** `providerId/modelName`. */
  id: string
  name: string
  contextWindow: number
  /** US dollars for a million tokens, where known. */
  price?: { input: number; output: number; cached?: number }
}
