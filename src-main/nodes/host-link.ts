import { createPtyHost, type OutputTap } from '../pty-host/host'
import type { HostMessage, HostRequest } from '../pty-host/messages'
import { fromNodePort, type NodePort } from '../pty-host/ports'

/** The connection to a terminal host, wherever it runs. A lost link stays lost; the node then opens a new one. */
export interface HostLink {
  /** `port` is the pane's end of a channel and is sent with an `attach`. */
  post(request: HostRequest, port?: unknown): void
  /** Both are called once, right after the link was opened. */
  onMessage(listener: (message: HostMessage) => void): void
  onLost(listener: () => void): void
  close(): void
}

/** A host inside this process, for the command line and for tests. Ports are those of `worker_threads`. */
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
