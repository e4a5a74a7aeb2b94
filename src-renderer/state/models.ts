import type { Provider } from '../../src-preload/contract/protocol'

export const guide = 'guide'

/** The name of a model as its provider gave it, or the id while the provider has not been read. */
export function modelName(providers: Provider[], id: string): string {
  if (id === guide) return 'Offline guide'
  for (const provider of providers) {
    const model = provider.models.find((entry) => entry.id === id)
    if (model) return model.name
  }
  return id.slice(id.indexOf('/') + 1)
}
