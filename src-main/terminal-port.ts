import { join } from 'node:path'
import { MessageChannelMain, type MessagePortMain, utilityProcess, type WebContents } from 'electron'
import type { ProcessInfo } from '../src-preload/contract/protocol'
import type { HostLink } from './nodes/host-link'
import type { LocalNode } from './nodes/local'
import type { HostMessage } from './pty-host/messages'

/** Starts the terminal host as a process of its own, so that no flood of output reaches main's event loop. */
export function openUtilityHost(script = join(import.meta.dirname, 'pty-host.js')): HostLink {
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
export function attachTerminal(options: {
  node: LocalNode
  contents: WebContents
  process: ProcessInfo
  logPath: string
  requestId: string
}): void {
  const { process, logPath } = options
  const { port1, port2 } = new MessageChannelMain()
  const exit = process.status === 'running' ? null : { exitCode: process.exitCode, signal: process.signal }
  options.node.attachPane({ id: process.id, logPath, exit }, port1)
  options.contents.postMessage('terminal-port', options.requestId, [port2])
}
