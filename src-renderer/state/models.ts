import { type AgentOnMachine, hostedAgentOf } from '../../src-preload/contract/hosted'
import type { Effort, Provider } from '../../src-preload/contract/models'

export const guide = 'guide'

/** The name of a model as its provider gives it, or the id while the provider is not loaded. */
export function modelName(providers: Provider[], id: string, agents: readonly AgentOnMachine[] | null = null): string {
  if (id === guide) return 'Offline guide'
  const agent = hostedAgentOf(id)
  if (agent !== null) return agents?.find((each) => each.id === agent)?.name ?? agent
  for (const provider of providers) {
    const model = provider.models.find((entry) => entry.id === id)
    if (model) return model.name
  }
  return id.slice(id.indexOf('/') + 1)
}

/** The model of a new session: the chosen one, otherwise the first available, otherwise the guide. */
export function usualModel(providers: Provider[], chosen: string): string {
  const offered = providers.flatMap(({ models }) => models.map(({ id }) => id))
  return chosen === guide || offered.includes(chosen) ? chosen : (offered[0] ?? guide)
}

const noEfforts: readonly Effort[] = []

/** The levels of effort that a model has. */
export function effortsOf(providers: Provider[], id: string): readonly Effort[] {
  for (const provider of providers) {
    const model = provider.models.find((entry) => entry.id === id)
    if (model) return model.efforts
  }
  return noEfforts
}
