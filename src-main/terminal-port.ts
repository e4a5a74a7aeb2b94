import { MessageChannelMain, type MessagePortMain, utilityProcess, type WebContents } from 'electron'
import type { HostLink } from './nodes/host-link'
import type { LocalNode } from './nodes/local'
import type { ProcessTable } from './nodes/process-table'
import type { HostMessage } from './pty-host/messages'

/** Starts the terminal host as a process of its own, so that no flood of output reaches main's event loop. */
export function openUtilityHost(script: string): HostLink {
  const child = utilityProcess.fork(script, [], { serviceName: 'Deckhand terminals', stdio: 'inherit' })
  let closing = false
  return {
    post: (request, port) => child.postMessage(request, port === undefined ? [] : [port as MessagePortMain]),
    onMessage: (listener) => void child.on('message', (message: HostMessage) => listener(message)),
    onLost(listener) {
      child.on('exit', () => {
        if (!closing) listener()
      })
    },
    close() {
      closing = true
      child.kill()
    },
  }
}

/**
 * Joins a pane in the window with its process in the terminal host by a channel of their own. The window's end arrives
 * in the preload as `terminal-port` under the id with which the pane asked for it.
 */
export function attachTerminal(
  engine: { localNode: LocalNode; table: ProcessTable },
  contents: WebContents,
  processId: string,
  requestId: string,
): void {
  const process = engine.table.get(processId)
  if (!process) throw new Error('This process is no longer known')
  const { port1, port2 } = new MessageChannelMain()
  const exit = process.status === 'running' ? null : { exitCode: process.exitCode, signal: process.signal }
  engine.localNode.attachPane({ id: processId, logPath: engine.table.logPath(processId), exit }, port1)
  contents.postMessage('terminal-port', requestId, [port2])
}
