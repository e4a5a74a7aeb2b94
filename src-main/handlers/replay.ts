import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { type BrowserWindow, dialog } from 'electron'
import type { replayCalls } from '../../src-preload/contract/replay-calls'
import type { Engine } from '../engine'
import type { Player } from '../replay/html'
import type { Replays } from '../replay/replay'
import { fileTitle } from './file-title'
import type { HandlersFor } from './handlers'

/** Sessions played again. What makes them is read when it is first asked for. */
export function replayHandlers(engine: Engine, window: BrowserWindow): HandlersFor<typeof replayCalls> {
  const { store, table, log } = engine
  let made: Promise<Replays> | null = null
  const replays = (): Promise<Replays> => {
    made ??= import('../replay/replay').then(({ createReplays }) =>
      createReplays({ store, table, clean: log.clean, now: Date.now }),
    )
    return made
  }
  return {
    'replay.get': async ({ sessionId }) => (await replays()).load(sessionId),
    'replay.read': async ({ processId }) => (await replays()).cast(processId),
    'replay.export': async ({ sessionId }) => {
      const chosen = await dialog.showSaveDialog(window, {
        title: 'Export the replay',
        defaultPath: join(homedir(), `${fileTitle(store.sessions.get(sessionId).title)}.html`),
        filters: [{ name: 'Web page', extensions: ['html'] }],
      })
      if (chosen.canceled || !chosen.filePath) return null
      await writeFile(chosen.filePath, await (await replays()).html(sessionId, await readPlayer()))
      return chosen.filePath
    },
  }
}

/** It is built beside the main process, whose own files may be one folder deeper. */
async function readPlayer(): Promise<Player> {
  const folder = ['../replay', '../../replay']
    .map((path) => join(import.meta.dirname, path))
    .find((path) => existsSync(join(path, 'player.js')))
  if (!folder) throw new Error('The player is missing from this build of Deckhand.')
  const [script, style] = await Promise.all(
    ['player.js', 'player.css'].map((name) => readFile(join(folder, name), 'utf8')),
  )
  return { script: script ?? '', style: style ?? '' }
}
