import type { FactSource, ModelCorrection, ModelInfo, ProviderKind } from '../../src-preload/contract/models'
import { effortsOf } from '../agent/model-efforts'
import { modelFacts } from '../agent/model-facts'
import type { SavedModel, SavedProvider } from './settings'

type Server = Pick<SavedProvider, 'kind' | 'baseUrl' | 'listedAt'>

/** Combines what is known about a model: from the user, else from its server, else from the table. */
export const describeModel = (
  saved: SavedModel,
  { kind, baseUrl, listedAt }: { kind: ProviderKind } & Server,
  correction: ModelCorrection = {},
): ModelInfo => {
  const { id, name } = saved
  const said: Partial<SavedModel> = listedAt === undefined ? {} : saved
  const table = modelFacts(name, URL.canParse(baseUrl) ? new URL(baseUrl).host : '')
  const price = correction.price ?? said.price ?? table.price
  const source = (user: unknown, server: unknown, known: unknown): FactSource =>
    user ? 'user' : server ? 'server' : known ? 'table' : 'unknown'
  return {
    id,
    name,
    contextWindow: correction.contextWindow ?? said.contextWindow ?? table.contextWindow,
    ...(price && { price }),
    efforts: said.efforts ?? effortsOf(kind, name),
    source: {
      contextWindow: source(correction.contextWindow, said.contextWindow, table.contextWindow),
      price: source(correction.price, said.price, table.price),
    },
  }
}
