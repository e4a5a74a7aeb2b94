import { contextBridge, ipcRenderer } from 'electron'
import type { PromptBridge } from './contract/prompt-box'

/** What the prompt box can reach: it may send one message and close itself; main validates it. */
const bridge: PromptBridge = { ask: (wish) => ipcRenderer.invoke('prompt', wish) }

contextBridge.exposeInMainWorld('deckhandPrompt', bridge)
