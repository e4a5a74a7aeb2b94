import type { BackendPlace } from '../../../src-preload/contract/backends'
import type { ConnectedNode } from './connect-node'
import type { ConnectionOptions } from './node-connection'
import { freeId } from './node-info'
import { localShellNode, openShellNode } from './open-node'
import type { ShellNode } from './shell-node'
import type { ShellNodeRow, ShellNodeRows } from './shell-node-rows'
import type { Asking } from './ssh'

interface ChosenNodeOptions extends Pick<ConnectionOptions, 'env' | 'owner'> {
  rows: ShellNodeRows
  idTrouble(id: string): string | null
  /** The node that the user chose for calls that name none. */
  primary(): string
  /** Connects for this run only. */
  connect(row: ShellNodeRow, passing: NonNullable<ConnectionOptions['passing']>): Promise<ConnectedNode>
  /** A connected node by its id. */
  openOf(id: string): ConnectedNode | null
}

/** The node for everything that names none: this machine, the user's choice, or that of the command line. */
export function createChosenNode({ rows, env, owner, idTrouble, primary, connect, openOf }: ChosenNodeOptions) {
  const here = localShellNode({ id: 'local', env })
  let chosen: ShellNode | null = null
  /** A node of another kind that the command line chose. */
  let chosenElsewhere: string | null = null

  const methods = {
    /** Where commands run in a vocabulary that knows only one machine at a time. */
    current: (): ShellNode => chosen ?? openOf(primary()) ?? here,
    /** The id of the node that the command line chose. */
    chosen: (): string | null => (chosen && chosen.id !== 'local' ? chosen.id : chosenElsewhere),
    /** Like `use`, but by node id and for this run only. A node of another kind is connected elsewhere. */
    async choose(id: string, onTerminal: boolean): Promise<void> {
      const row = rows.list().find((each) => each.id === id)
      if (!row) {
        chosenElsewhere = id
        return
      }
      chosen = await connect({ ...row, wanted: true }, onTerminal ? { asking: askOnTerminal } : {})
    },
    /** For this run only: used for everything that names no node. ssh asks on the terminal if it may. */
    async use(place: BackendPlace, onTerminal: boolean): Promise<void> {
      if (place.kind === 'local') {
        chosen = await openShellNode(place, { id: 'local', env, owner: owner })
        return
      }
      const id = freeId(place, idTrouble)
      const row = { id, place, wanted: true, addedAt: Date.now() }
      chosen = await connect(row, onTerminal ? { asking: askOnTerminal } : {})
    },
  }

  return {
    methods,
    async close(): Promise<void> {
      if (chosen?.id === 'local') await chosen.close()
      await here.close()
    },
  }
}

const askOnTerminal: Asking = async () => ({ env: {}, onTerminal: true, close: () => Promise.resolve() })
