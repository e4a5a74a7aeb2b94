import type { AgentClient } from '../../hosts/agent-link'
import { hostLimits } from '../../hosts/limits'
import type { RunnerCore } from '../runner-core'
import type { HostedPorts } from './ports'
import { createTerminals, type Terminals } from './terminals'
import type { HostedTurn } from './turn'

/**
 * What a hosted session keeps between turns: its terminals, its cost, and the client that receives the agent's
 * requests.
 */
export interface HostedState {
  terminals: Terminals
  client: AgentClient
  turn: HostedTurn | null
  /** The cost of the session so far, as the agent reports it. */
  cost: number | null
}

/** For requests that an agent makes outside any turn. */
const noTurn = (): never => {
  throw new Error('There is no turn in this session now.')
}

function createHostedState({ table, startCommand }: HostedPorts): HostedState {
  const terminals = createTerminals({
    table,
    most: hostLimits.terminals,
    start: startCommand,
  })
  const state: HostedState = {
    terminals,
    turn: null,
    cost: null,
    client: {
      // What arrives after the end of a turn is dropped.
      update: (update) => state.turn?.client.update(update),
      permission: async (request, signal) =>
        state.turn ? state.turn.client.permission(request, signal) : { outcome: { outcome: 'cancelled' } },
      readFile: async (request, signal) => (state.turn ?? noTurn()).client.readFile(request, signal),
      writeFile: async (request, signal) => (state.turn ?? noTurn()).client.writeFile(request, signal),
      createTerminal: async (request, signal) => (state.turn ?? noTurn()).client.createTerminal(request, signal),
      terminalOutput: terminals.output,
      waitForTerminal: terminals.wait,
      killTerminal: terminals.kill,
      releaseTerminal: terminals.release,
    },
  }
  return state
}

export const hostedStateOf = (core: RunnerCore, ports: HostedPorts, sessionId: string): HostedState => {
  const state = core.hostedStates.get(sessionId) ?? createHostedState(ports)
  core.hostedStates.set(sessionId, state)
  return state
}
