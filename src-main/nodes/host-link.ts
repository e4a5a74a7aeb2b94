import { createPtyHost, type OutputTap } from '../pty-host/host'
import type { HostMessage, HostRequest } from '../pty-host/messages'
import { fromNodePort, type NodePort } from '../pty-host/ports'

/** The way to a terminal host, wherever it runs. A link that was lost stays lost; the node then opens another. */
export interface HostLink {
  /** `port` is the pane's end of a channel and travels with an `attach`. */
  post(request: HostRequest, port?: unknown): void
  /** Both are called once, right after the link was opened. */
  onMessage(listener: (message: HostMessage) => void): void
  onLost(listener: () => void): void
  close(): void
}

/** The host inside this very process: no hop, for the command line and for tests. Ports are those of `worker_threads`. */
export function openInProcessHost(tap?: OutputTap): HostLink {
  let listener: (message: HostMessage) => void = () => {}
  const host = createPtyHost((message) => listener(message), tap)
  return {
    post: (request, port) => host.handle(request, port === undefined ? undefined : fromNodePort(port as NodePort)),
    onMessage(next) {
      listener = next
    },
    onLost() {},
    close() {},
  }
}
