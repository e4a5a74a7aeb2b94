import type { NodeInfo } from '../../src-preload/contract/nodes'
import type { SkillInfo } from '../../src-preload/contract/skills'

/** What a prompt states about the surroundings of a session, and what may change while it goes on. */
export interface Surroundings {
  nodes: readonly NodeInfo[]
  skills: readonly SkillInfo[]
}

/** What has changed, in sentences for the model. */
export const changesIn = (before: Surroundings, now: Surroundings): string[] => {
  const was = connectedIn(before)
  const is = connectedIn(now)
  const had = new Map(before.skills.map((skill) => [skill.name, skill]))
  const has = new Map(now.skills.map((skill) => [skill.name, skill]))
  const skills = now.skills.filter(({ name, description }) => had.get(name)?.description !== description)
  const lost = before.skills.filter(({ name }) => !has.has(name)).map(({ name }) => name)
  return [
    ...[...is.values()]
      .filter(({ id }) => !was.has(id))
      .map(({ id, os }) => `Node ${id}${os && ` (${os})`} is connected.`),
    ...[...was.keys()].filter((id) => !is.has(id)).map((id) => `Node ${id} is not connected any more.`),
    ...(skills.length > 0
      ? [
          `New skills: ${skills.map(({ name, description, location }) => `${name}: ${description} (${location})`).join('; ')}.`,
        ]
      : []),
    ...(lost.length > 0 ? [`These skills cannot be used now: ${lost.join(', ')}.`] : []),
  ]
}

const connectedIn = ({ nodes }: Surroundings): Map<string, NodeInfo> =>
  new Map(nodes.filter(({ state }) => state === 'connected').map((node) => [node.id, node]))

/** Whether other nodes are connected than those that are known. `connected`: the ids of those that are, in order. */
export const nodesDiffer = (known: Surroundings | null, connected: readonly string[]): boolean =>
  known !== null && [...connectedIn(known).keys()].join('\n') !== connected.join('\n')
