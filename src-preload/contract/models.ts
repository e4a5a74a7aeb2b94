export type ProviderKind = 'openai' | 'anthropic'

/** How hard a model thinks before it answers. Each model has some of these, or none. */
export const efforts = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'] as const
export type Effort = (typeof efforts)[number]

/** Where a key is read from that is not kept by us. */
export type KeySource = { kind: 'environment'; name: string } | { kind: 'command'; command: string }

export interface Provider {
  id: string
  name: string
  kind: ProviderKind
  baseUrl: string
  /** Whether a key is stored; the key itself never leaves the main process. */
  hasKey: boolean
  /** Absent for a key that was entered, and for none. */
  keySource?: KeySource
  /** Found on a usual local port rather than added by the user. */
  detected: boolean
  models: ModelInfo[]
}

export interface ModelInfo {
  /** `providerId/modelName`. */
  id: string
  name: string
  /** The most tokens that a request may hold; 0 where nobody says. */
  contextWindow: number
  price?: ModelPrice
  /** The levels that it can be told to think at; empty where there are none. */
  efforts: readonly Effort[]
  /** Who says so; `table` is a list of what makers state, with a date. */
  source: { contextWindow: FactSource; price: FactSource }
}

export type FactSource = 'user' | 'server' | 'table' | 'unknown'

interface Rates {
  input: number
  output: number
  cached?: number
  cacheWrite?: number
}

/** US dollars for a million tokens. A request of more than `long.above` tokens is billed by `long` as a whole. */
export interface ModelPrice extends Rates {
  long?: Rates & { above: number }
}

/** What the user says about a model, where it is not as Deckhand thinks. */
export interface ModelCorrection {
  contextWindow?: number
  price?: { input: number; output: number; cached?: number; cacheWrite?: number }
}
