import { contextBridge, ipcRenderer, webUtils } from 'electron'
import type { DeckhandEvent } from './contract/events'
import type { CallInput, CallName, CallReply } from './contract/ipc'

/**
 * The whole of what the window can reach: calls by name (validated in main), one stream of events, and a port for each
 * terminal pane. Ports cannot pass through contextBridge, so they arrive in the page as a `message` event whose data is
 * `{ deckhandTerminal: requestId }` and whose only port is the pane's.
 */
const bridge = {
  call: <Name extends CallName>(name: Name, input: CallInput<Name>): Promise<CallReply<Name>> =>
    ipcRenderer.invoke('call', name, input),

  onEvent: (listener: (events: DeckhandEvent[]) => void): (() => void) => {
    const forward = (_: unknown, events: DeckhandEvent[]) => listener(events)
    ipcRenderer.on('events', forward)
    return () => ipcRenderer.off('events', forward)
  },

  /** The path of a file that the user dropped or chose; empty when it has none. */
  pathForFile: (file: File): string => webUtils.getPathForFile(file),
}

ipcRenderer.on('terminal-port', (event, requestId: string) => {
  window.postMessage({ deckhandTerminal: requestId }, '*', event.ports)
})

contextBridge.exposeInMainWorld('deckhand', bridge)

export type Bridge = typeof bridge
