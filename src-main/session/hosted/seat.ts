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
export interface Seat {
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

function createSeat({ table, startCommand }: HostedPorts): Seat {
  const terminals = createTerminals({
    table,
    most: hostLimits.terminals,
    start: startCommand,
  })
  const seat: Seat = {
    terminals,
    turn: null,
    cost: null,
    client: {
      // What arrives after the end of a turn is dropped.
      update: (update) => seat.turn?.client.update(update),
      permission: async (request, signal) =>
        seat.turn ? seat.turn.client.permission(request, signal) : { outcome: { outcome: 'cancelled' } },
      readFile: async (request, signal) => (seat.turn ?? noTurn()).client.readFile(request, signal),
      writeFile: async (request, signal) => (seat.turn ?? noTurn()).client.writeFile(request, signal),
      createTerminal: async (request, signal) => (seat.turn ?? noTurn()).client.createTerminal(request, signal),
      terminalOutput: terminals.output,
      waitForTerminal: terminals.wait,
      killTerminal: terminals.kill,
      releaseTerminal: terminals.release,
    },
  }
  return seat
}

export const seatOf = (core: RunnerCore, ports: HostedPorts, sessionId: string): Seat => {
  const seat = core.seats.get(sessionId) ?? createSeat(ports)
  core.seats.set(sessionId, seat)
  return seat
}
