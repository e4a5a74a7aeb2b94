import type { PaneRequest } from '../../src-preload/contract/processes'
import type { PanePort } from './pane'

/** The part of Electron's `MessagePortMain` that is used here; a utility process receives these. */
export interface ElectronPort {
  postMessage(message: unknown): void
  on(event: 'message', listener: (event: { data: unknown }) => void): unknown
  on(event: 'close', listener: () => void): unknown
  start(): void
  close(): void
}

/** The part of `node:worker_threads`' port that is used here, for a host in the same process. */
export interface NodePort {
  postMessage(message: unknown): void
  on(event: 'message', listener: (data: unknown) => void): unknown
  on(event: 'close', listener: () => void): unknown
  close(): void
}

export function fromElectronPort(port: ElectronPort): PanePort {
  return {
    post: (message) => port.postMessage(message),
    onRequest(listener) {
      port.on('message', (event) => listener(event.data as PaneRequest))
      port.start()
    },
    onClose: (listener) => void port.on('close', listener),
    close: () => port.close(),
  }
}

export function fromNodePort(port: NodePort): PanePort {
  return {
    post: (message) => port.postMessage(message),
    onRequest: (listener) => void port.on('message', (data) => listener(data as PaneRequest)),
    onClose: (listener) => void port.on('close', listener),
    close: () => port.close(),
  }
}
