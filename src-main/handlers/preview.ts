import type { BrowserWindow } from 'electron'
import type { previewCalls } from '../../src-preload/contract/preview-calls'
import type { Engine } from '../engine'
import { leftRunning } from '../receipts/left-running'
import { type HandlersFor, nothing } from './handlers'
import { createPreview } from './preview-view'

/** What runs in a session and can be looked at. */
export function previewHandlers(engine: Engine, window: BrowserWindow): HandlersFor<typeof previewCalls> {
  const { table, publish } = engine
  const portsOf = (sessionId: string) =>
    table
      .list(sessionId)
      .filter(({ status, node }) => status === 'running' && node === 'local')
      .flatMap((process) => leftRunning([process]).ports.map(({ port }) => ({ port, processId: process.id })))
  const preview = createPreview({
    window,
    portsOf: (sessionId) => portsOf(sessionId).map(({ port }) => port),
    publish: (shown) => publish({ type: 'preview', preview: shown }),
  })
  return {
    'process.ports': ({ sessionId }) => portsOf(sessionId),
    'process.again': async ({ id }) => (await engine.runAgain(id)).id,
    'preview.open': ({ sessionId, url, typed = false }) => nothing(preview.open(sessionId, url, typed)),
    'preview.reload': () => nothing(preview.reload()),
    'preview.back': () => nothing(preview.back()),
    'preview.close': () => nothing(preview.close()),
    'preview.place': ({ box }) => nothing(preview.place(box)),
    'preview.focus': () => nothing(preview.focus()),
    'preview.picture': () => preview.picture(),
  }
}
