import type { Logger } from '../log'
import type { NodeLink } from './hub'
import { closeCodes } from './wire'

/** The nodes that are connected, one connection each. */
export interface NodeLinks {
  get(nodeId: string): NodeLink | undefined
  all(): NodeLink[]
  /** False once a newer connection took the place of this one. */
  isCurrent(link: NodeLink): boolean
  /** Replaces an earlier connection of the same node. */
  welcome(link: NodeLink): void
  lose(link: NodeLink, reason: string): void
  rename(id: string, newId: string): void
  onConnected(listener: (link: NodeLink) => void): void
  onLost(listener: (link: NodeLink, reason: string) => void): void
}

export function createNodeLinks(log: Logger): NodeLinks {
  const links = new Map<string, NodeLink>()
  const connectedListeners: ((link: NodeLink) => void)[] = []
  const lostListeners: ((link: NodeLink, reason: string) => void)[] = []

  const isCurrent = (link: NodeLink): boolean => links.get(link.id)?.peer === link.peer

  const lose = (link: NodeLink, reason: string): void => {
    // A socket that was replaced by a newer one closes later; that must not remove the new link.
    if (!isCurrent(link)) return
    links.delete(link.id)
    log.info('Node disconnected', { node: link.id, reason })
    for (const listener of lostListeners) listener(link, reason)
  }

  return {
    get: (nodeId) => links.get(nodeId),
    all: () => [...links.values()],
    isCurrent,
    lose,
    welcome: (link) => {
      const old = links.get(link.id)
      if (old) {
        lose(old, 'The node connected again')
        old.peer.close(closeCodes.replaced, 'Replaced by a newer connection')
      }
      links.set(link.id, link)
      log.info('Node connected', { node: link.id, address: link.peer.address, role: link.runtime.role })
      for (const listener of connectedListeners) listener(link)
    },
    rename: (id, newId) => {
      const link = links.get(id)
      if (!link) return
      links.delete(id)
      link.id = newId
      links.set(newId, link)
    },
    onConnected: (listener) => void connectedListeners.push(listener),
    onLost: (listener) => void lostListeners.push(listener),
  }
}
