import { homedir } from 'node:os'
import type { editorCalls } from '../../src-preload/contract/editor-calls'
import { createEditors } from '../editors/editors'
import type { Engine } from '../engine'
import type { HandlersFor } from './handlers'

/** Opening files in the user's editor. */
export function editorHandlers({ store, table, settings }: Engine): HandlersFor<typeof editorCalls> {
  const editors = createEditors({
    searchPath: process.env.PATH ?? '',
    home: homedir(),
    chosen: () => settings.current(),
  })
  const folderOf = (sessionId: string, cwd: string | undefined): string =>
    cwd ?? store.sessions.get(sessionId).workspace
  return {
    'editor.list': () => editors.list(),
    'editor.exists': ({ sessionId, paths, cwd }) => editors.exist(paths, folderOf(sessionId, cwd)),
    'editor.open': async ({ sessionId, path, line, column, cwd }) => {
      const folder = folderOf(sessionId, cwd)
      const inTerminal = await editors.open({ path, folder, ...(line && { line }), ...(column && { column }) })
      if (!inTerminal) return null
      const { argv, title } = inTerminal
      const command = argv.join(' ')
      const started = await table.start({
        sessionId,
        callId: null,
        command,
        title,
        argv,
        cwd: folder,
        background: false,
        byUser: true,
      })
      return started.id
    },
  }
}
