import type { nodeCalls } from '../../src-preload/contract/node-calls'
import type { NodeInfo } from '../../src-preload/contract/nodes'
import type { Engine } from '../engine'
import { readLogTail } from '../log-tail'
import { type HandlersFor, nothing } from './handlers'

const usualLogLines = 100
/** A login shell tells where programs are, and its profile may be slow. */
const probeMs = 15_000

/** Other machines. */
export function nodeHandlers({ nodes, settings, updateSettings, ...engine }: Engine): HandlersFor<typeof nodeCalls> {
  const { registry, gateway, transfers } = nodes
  const find = (id: string): NodeInfo => {
    const node = registry.get(id)
    if (!node) throw new Error(`There is no node ${id}`)
    return node
  }
  const other = (id: string): string => {
    if (find(id).local) throw new Error('This is the machine that Deckhand itself runs on')
    return id
  }
  /** Whatever comes under that name later is another machine, and was allowed nothing. */
  const forgetRules = (id: string): void => {
    for (const { id: ruleId, match } of engine.store.rules.list())
      if (match.kind === 'argv' && match.node === id) engine.runner.revokeRule(ruleId)
  }
  return {
    'node.list': () => {
      const running = transfers.list().map((transfer) => ({ type: 'transfer' as const, transfer }))
      return [registry.event(), ...running]
    },
    'node.add': ({ id, role, workspace }) => {
      if (!settings.current().gatewayEnabled)
        throw new Error('Connections from other machines are switched off in the settings')
      return nodes.add({ id, role, ...(workspace && { workspace }) })
    },
    'node.renewToken': ({ id }) => nodes.renewToken(other(id)),
    'node.rename': ({ id, newId }) => {
      const before = find(id).id
      if (find(id).backend) engine.shellNodes.rename(before, newId)
      else nodes.rename(before, newId)
      if (settings.current().primaryNode === before) updateSettings({ primaryNode: newId })
      return nothing(forgetRules(before))
    },
    'node.disconnect': async ({ id }) => {
      if (find(id).backend) await engine.shellNodes.disconnect(id)
      else gateway.disconnect(other(id))
      return null
    },
    'node.revoke': async ({ id }) => {
      if (find(id).backend) await engine.shellNodes.remove(id)
      else gateway.revoke(other(id))
      forgetRules(id)
      return null
    },
    'node.approve': ({ id }) => nothing(gateway.approve(other(id))),
    'node.makePrimary': ({ id }) => nothing(updateSettings({ primaryNode: find(id).id })),
    'node.logs': async ({ id, lines = usualLogLines }) => {
      const node = find(id)
      if (node.backend) return engine.shellNodes.logs(node.id, lines)
      if (!node.local) return gateway.logs(node.id, { lines })
      const found = await readLogTail(engine.dataDir, lines)
      return { nodeId: node.id, ...found, count: found.lines.length }
    },
    'node.probe': async ({ id, bins }) => {
      const node = find(id)
      if (node.backend) return engine.shellNodes.probe(node.id, bins, probeMs)
      if (!node.local) return gateway.probe(node.id, bins)
      return (await import('../node-agent/probe')).probeBins(bins, probeMs)
    },
    'node.openTerminal': async ({ id, sessionId }) =>
      find(id).local
        ? (await engine.openTerminal(sessionId)).id
        : find(id).backend
          ? engine.shellNodes.openTerminal(id, sessionId)
          : nodes.openTerminal(id, sessionId),
    'transfer.cancel': ({ id }) => nothing(transfers.cancel(id)),
  }
}
