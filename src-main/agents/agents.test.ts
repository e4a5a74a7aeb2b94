import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Agents, createAgents } from './agents'
import { createOwnFiles, type OwnFiles } from './own-files'

let root: string
let files: OwnFiles
let agents: Agents
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'deckhand-agents-'))
  files = createOwnFiles(root)
  agents = createAgents({ dataDir: root, files, sessionsOf: (id) => (id === 'main' ? 3 : 0), now: () => 1000 })
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

test('main is always there, before it has a file', async () => {
  expect(agents.list()).toEqual([
    { id: 'main', name: 'main', folder: join(root, 'agents/main'), sessions: 3, skills: 0, updatedAt: 0 },
  ])
  expect((await agents.files('main')).every(({ exists }) => !exists)).toBe(true)
})

test('an agent is made, named by its heading, and taken away without losing its files', async () => {
  await agents.create('helper', 'The Helper')
  expect(agents.list().map(({ id, name }) => [id, name])).toEqual([
    ['main', 'main'],
    ['helper', 'The Helper'],
  ])
  await expect(agents.create('helper')).rejects.toThrow('already')
  agents.remove('helper')
  expect(agents.list().map(({ id }) => id)).toEqual(['main'])
  expect(readdirSync(join(root, 'agents-removed/helper-1000'))).toEqual(['IDENTITY.md'])
  expect(() => agents.remove('main')).toThrow('cannot be removed')
  expect(() => agents.get('nobody')).toThrow('no agent')
  expect(existsSync(join(root, 'agents/nobody'))).toBe(false)
})

test('its files: the known ones first, then notes from the latest, skills and the rest', async () => {
  for (const path of ['z.md', 'memory/2026-11-15.md', 'memory/2026-11-16.md', 'skills/x/SKILL.md', 'SOUL.md'])
    await files.write('main', path, 'text')
  const rows = await agents.files('main')
  expect(rows[0]).toMatchObject({ path: 'SOUL.md', kind: 'prompt', exists: true, size: 4 })
  expect(rows.filter(({ kind }) => kind !== 'prompt').map(({ path, kind }) => [path, kind])).toEqual([
    ['memory/2026-11-16.md', 'note'],
    ['memory/2026-11-15.md', 'note'],
    ['skills/x/SKILL.md', 'skill'],
    ['z.md', 'other'],
  ])
})

test('a file where a folder is expected, and the other way round, hides no agent', async () => {
  await files.write('main', 'skills', 'I am no folder')
  await files.write('helper', 'IDENTITY.md/note.md', 'I am no file')
  expect(agents.list().map(({ id, name, skills }) => ({ id, name, skills }))).toEqual([
    { id: 'main', name: 'main', skills: 0 },
    { id: 'helper', name: 'helper', skills: 0 },
  ])
})
