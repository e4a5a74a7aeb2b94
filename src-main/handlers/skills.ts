import { existsSync, mkdirSync, rmSync, watch } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { shell } from 'electron'
import type { skillCalls } from '../../src-preload/contract/skill-calls'
import { containedPath, ownPath } from '../agents/own-path'
import type { Engine } from '../engine'
import { readInside } from '../skills/read-inside'
import { type HandlersFor, nothing } from './handlers'

/** A change comes as a flurry of news; one announcement is enough. */
const calmMs = 300

/** Skills: what there is, and why it can be used or not. */
export function skillHandlers(engine: Engine): HandlersFor<typeof skillCalls> {
  const { files, skills } = engine.agents
  const announce = (): void => engine.publish({ type: 'skills' })
  const watchFolder = watcher(announce, (folder, error) => engine.log.warn('Cannot watch skills', { folder, error }))

  const rootOf = (agentId: string, source: 'agent' | 'global'): string =>
    source === 'global' ? files.sharedSkills() : join(files.folder(agentId), 'skills')
  /** Of a location such as `skills/x/SKILL.md`. */
  const placeOf = (agentId: string, source: 'agent' | 'global', location: string): string =>
    containedPath(rootOf(agentId, source), ownPath(location).slice('skills/'.length))

  return {
    'skill.list': ({ agentId, fresh, workspace }) => {
      watchFolder(rootOf(agentId, 'agent'))
      watchFolder(rootOf(agentId, 'global'))
      return skills.list(agentId, { workspace, fresh })
    },
    'skill.read': async ({ agentId, location, workspace }) => {
      if (location.startsWith('skills/')) return (await files.read(agentId, location)).content
      const found = (await skills.list(agentId, { workspace })).find((skill) => skill.location === location)
      if (!found) throw new Error('This skill no longer exists.')
      return readInside(found.folder, 'SKILL.md')
    },
    'skill.write': async ({ agentId, location, source, content }) => {
      const file = placeOf(agentId, source, location)
      await mkdir(dirname(file), { recursive: true, mode: 0o700 })
      await writeFile(file, content, { mode: 0o600 })
      return nothing(announce())
    },
    'skill.setEnabled': ({ name, enabled }) => {
      const { skillEntries } = engine.settings.current()
      const before = Object.hasOwn(skillEntries, name) ? skillEntries[name] : {}
      engine.updateSettings({ skillEntries: { ...skillEntries, [name]: { ...before, enabled } } })
      return nothing(announce())
    },
    'skill.remove': ({ agentId, location, source }) => {
      const file = placeOf(agentId, source, location)
      if (!existsSync(file)) throw new Error('This skill no longer exists.')
      rmSync(location.endsWith('/SKILL.md') ? dirname(file) : file, { recursive: true })
      return nothing(announce())
    },
    'skill.reveal': async ({ agentId, source }) => {
      const folder = rootOf(agentId, source)
      mkdirSync(folder, { recursive: true, mode: 0o700 })
      const problem = await shell.openPath(folder)
      if (problem) throw new Error(`The folder cannot be shown: ${problem}`)
      return null
    },
  }
}

/** Watches folders from the first time that somebody looks at them, and never holds the process open. */
function watcher(changed: () => void, onTrouble: (folder: string, error: unknown) => void) {
  const watched = new Set<string>()
  let timer: NodeJS.Timeout | undefined
  const soon = (): void => {
    clearTimeout(timer)
    timer = setTimeout(changed, calmMs).unref()
  }
  return (folder: string): void => {
    if (watched.has(folder) || !existsSync(folder)) return
    watched.add(folder)
    const gone = (error: unknown): void => {
      watched.delete(folder)
      onTrouble(folder, error)
    }
    try {
      watch(folder, { recursive: true, persistent: false }, soon).on('error', gone)
    } catch (error) {
      gone(error)
    }
  }
}
