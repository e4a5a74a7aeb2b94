import { createPtyHost } from './host'
import type { HostRequest } from './messages'
import { type ElectronPort, fromElectronPort } from './ports'

/**
 * Entry of the utility process that owns all terminals of the window, so that a flood of output does not block main.
 */

interface ParentPort {
  postMessage(message: unknown): void
  on(event: 'message', listener: (event: { data: unknown; ports: ElectronPort[] }) => void): void
}

const parent = (process as unknown as { parentPort: ParentPort }).parentPort
const host = createPtyHost((message) => parent.postMessage(message))
parent.on('message', ({ data, ports }) => {
  const [port] = ports
  host.handle(data as HostRequest, port && fromElectronPort(port))
})
// An error in one terminal must not end the programs in all the others.
process.on('uncaughtException', (error) => console.error('Terminal host:', error))
process.on('unhandledRejection', (error) => console.error('Terminal host:', error))
