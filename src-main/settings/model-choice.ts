import type { Effort, ModelInfo, ModelPrice, ProviderKind } from '../../src-preload/contract/models'
import type { Endpoint } from '../agent/http'
import type { LessonBook } from '../agent/lessons'
import { type Model, thinkingRoom } from '../agent/model'
import { assumedWindow } from '../agent/model-facts'
import { openaiModel } from '../agent/openai'
import type { ModelLessons } from './model-lessons'
import type { SavedModel, SavedProvider, SettingsFile } from './settings'

/** The built-in model, which is always available. */
export const guideId = 'guide'

interface ResolvedModel {
  model: Model
  modelName: string
  /** 0 if unknown. */
  contextWindow: number
  /** The context window, or an estimate if it is unknown. */
  assumedWindow: number
  efforts: readonly Effort[]
  /** Tokens that it may think, beside its answer. */
  thinkingTokens?: number
  price?: ModelPrice
}

interface ModelChoiceOptions {
  settings: SettingsFile
  guide: Model
  lessons?: Pick<ModelLessons, 'bookFor'>
  all(): SavedProvider[]
  described(provider: SavedProvider, model: SavedModel): ModelInfo
  endpointOf(provider: SavedProvider): Endpoint
}

/** Which model a session uses, ready to be asked. */
export const createModelChoice = ({ settings, guide, lessons, all, described, endpointOf }: ModelChoiceOptions) => {
  const models = new Map<string, { madeFor: string; model: Model }>()

  return {
    /** Throws an error with a message for the user if the provider no longer exists. */
    modelFor: (modelId: string): ResolvedModel => {
      if (modelId === guideId) {
        const window = 100_000
        return { model: guide, modelName: guideId, contextWindow: window, assumedWindow: window, efforts: [] }
      }
      const slash = modelId.indexOf('/')
      const provider = all().find(({ id }) => id === modelId.slice(0, slash))
      if (slash === -1 || !provider) throw new Error(`The model ${modelId} is not there any more.`)
      const modelName = modelId.slice(slash + 1)
      const listed = provider.models.find(({ name }) => name === modelName) ?? { id: modelId, name: modelName }
      const { contextWindow, price, efforts } = described(provider, listed)
      // One object per server, since it learns what the server supports.
      const address = `${provider.kind} ${provider.baseUrl}`
      const madeFor = JSON.stringify([address, provider.keySource])
      const kept = models.get(provider.id)
      const model =
        kept?.madeFor === madeFor
          ? kept.model
          : build(provider.kind, endpointOf(provider), () => lessons?.bookFor(address))
      models.set(provider.id, { madeFor, model })
      return {
        model,
        modelName,
        contextWindow,
        assumedWindow: contextWindow || assumedWindow(modelName),
        efforts,
        // At a server that does not say, a model that thinks is known by its levels of effort.
        thinkingTokens: efforts.length > 0 ? thinkingRoom : 0,
        price,
      }
    },
    /** The model for new sessions. */
    defaultModel: (): string => {
      const wanted = settings.current().defaultModel
      const offered = all().flatMap(({ models: each }) => each)
      if (wanted === guideId || offered.some(({ id }) => id === wanted)) return wanted
      // A provider that lists no models may still have the wanted one.
      if (all().some(({ id, models: each }) => each.length === 0 && wanted.startsWith(`${id}/`))) return wanted
      return offered[0]?.id ?? guideId
    },
  }
}

/** Lessons are looked up and Anthropic's API is loaded when a model is first used. */
const build = (kind: ProviderKind, endpoint: Endpoint, lessons: () => LessonBook | undefined): Model =>
  onFirstUse(async () => {
    if (kind === 'openai') return openaiModel(endpoint, lessons())
    const { anthropicModel } = await import('../agent/anthropic')
    return anthropicModel(endpoint, lessons())
  })

const onFirstUse = (load: () => Promise<Model>): Model => {
  let model: Model | undefined
  async function* first(...asked: Parameters<Model['stream']>) {
    model ??= await load()
    yield* model.stream(...asked)
  }
  return { stream: (...asked) => (model ? model.stream(...asked) : first(...asked)) }
}
