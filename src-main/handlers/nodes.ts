import type { nodeCalls } from '../../src-preload/contract/node-calls'
import type { NodeInfo } from '../../src-preload/contract/nodes'
import type { Engine } from '../compose'
import { type HandlersFor, nothing } from './handlers'

/** Other machines. */
export function nodeHandlers({ machines, settings, updateSettings, ...engine }: Engine): HandlersFor<typeof nodeCalls> {
  const { registry, gateway, transfers } = machines
  const find = (id: string): NodeInfo => {
    const node = registry.get(id)
    if (!node) throw new Error(`There is no node ${id}`)
    return node
  }
  const other = (id: string): string => {
    if (find(id).local) throw new Error('This is the machine that Deckhand itself runs on')
    return id
  }
  return {
    'node.list': () => {
      const { nodes, gateway: door } = registry.event()
      return { nodes, gateway: door, transfers: transfers.list() }
    },
    'node.add': ({ id, role, workspace }) => {
      if (!settings.current().gatewayEnabled)
        throw new Error('Connections from other machines are switched off in the settings')
      return machines.add({ id, ...(role && { role }), ...(workspace && { workspace }) })
    },
    'node.renewToken': ({ id }) => machines.renewToken(other(id)),
    'node.rename': ({ id, newId }) => {
      machines.rename(find(id).id, newId)
      return find(newId)
    },
    'node.disconnect': ({ id }) => nothing(gateway.disconnect(other(id))),
    'node.revoke': ({ id }) => nothing(gateway.revoke(other(id))),
    'node.approve': ({ id }) => {
      gateway.approve(other(id))
      return find(id)
    },
    'node.makePrimary': ({ id }) => {
      return nothing(updateSettings({ primaryNode: find(id).id }))
    },
    'node.logs': ({ id, lines }) => gateway.logs(other(id), lines === undefined ? {} : { lines }),
    'node.probe': ({ id, bins }) => gateway.probe(other(id), bins),
    'node.openTerminal': async ({ id, sessionId }) =>
      find(id).local ? (await engine.openTerminal(sessionId)).id : machines.openTerminal(id, sessionId),
    'transfer.cancel': ({ id }) => nothing(transfers.cancel(id)),
  }
}
