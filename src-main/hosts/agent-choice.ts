import type { AgentOnMachine } from '../../src-preload/contract/hosted'
import { nearest } from '../nearest'
import { HostError } from './agent-link'
import { type AgentLaunch, findAgents, launchOf, type Surroundings } from './find-agents'

/** How to start the agent of this name, or the one that this command line starts. Throws words for the user. */
export function launchNamed(agent: string, surroundings: Surroundings): AgentLaunch {
  const { launch, list } = findAgents(surroundings)
  const found = launch.get(agent) ?? (isCommand(agent) ? launchOf(agent, surroundings) : null)
  if (found) return found
  const known = list.find(({ id }) => id === agent)
  if (known) throw new HostError(notInstalled(known))
  const [near] = nearest(agent, [...launch.keys()], 1)
  const hint = near ? ` Did you mean ${near}?` : ' `deckhand agents` lists those that were found.'
  throw new HostError(`There is no agent ${agent} on this machine.${hint}`)
}

/** Words for an agent that cannot be started; null for one that can. `byCommand`: it may be a whole command line. */
export function agentTrouble(agent: string, surroundings: Surroundings, byCommand: boolean): string | null {
  if (!byCommand && !findAgents(surroundings).launch.has(agent) && isCommand(agent))
    return `There is no agent ${agent} on this machine.`
  try {
    launchNamed(agent, surroundings)
    return null
  } catch (error) {
    if (error instanceof HostError) return error.message
    throw error
  }
}

/** A name has no spaces and no slashes; what has them is a command line. */
const isCommand = (agent: string): boolean => /[\s/]/.test(agent)

const notInstalled = ({ name, install }: AgentOnMachine): string =>
  `${name} was not found on this machine.${install ? ` Install it with: ${install}` : ' Install it as its maker describes.'}`
