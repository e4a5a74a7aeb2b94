import { nearest } from '../tools/nearest'
import type { Toolset } from '../tools/tool'
import { createClawftToolset } from './clawft'
import { createDeckhandToolset } from './deckhand'
import type { ToolsetDeps } from './deps'
import { createGsvToolset } from './gsv'

export type { ToolsetDeps }

const factories = new Map<string, (deps: ToolsetDeps) => Toolset>([
  ['deckhand', createDeckhandToolset],
  ['gsv', createGsvToolset],
  ['clawft', createClawftToolset],
])

export const toolsetNames: readonly string[] = [...factories.keys()]

export class UnknownToolset extends Error {
  constructor(name: string) {
    const [near] = nearest(name, toolsetNames, 1)
    const hint = near ? ` Did you mean ${near}?` : ''
    super(`There is no toolset named ${JSON.stringify(name)}. Known: ${toolsetNames.join(', ')}.${hint}`)
    this.name = 'UnknownToolset'
  }
}

/** A vocabulary by its name; throws `UnknownToolset`. */
export function createToolset(name: string, deps: ToolsetDeps): Toolset {
  const create = factories.get(name)
  if (!create) throw new UnknownToolset(name)
  return create(deps)
}
