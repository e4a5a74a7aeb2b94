import type { PlacedTools } from '../tools/on-node'
import { placeTool } from '../tools/place-tools'
import type { ToolsetDeps } from './deps'

/** The tools of places that programs of this machine lead to, where there are such places. */
export function placedTools({ backends, table, clock = Date.now }: ToolsetDeps): PlacedTools | undefined {
  if (!backends) return undefined
  return {
    tool: (node, name, base) => placeTool(name, base, { table, backends, node, clock }),
    chosen: backends.chosen,
  }
}
