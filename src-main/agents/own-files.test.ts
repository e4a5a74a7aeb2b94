import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createOwnFiles, type OwnFiles } from './own-files'
import { ownPath } from './own-path'

let root: string
let files: OwnFiles
let changes: string[]
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'deckhand-own-'))
  changes = []
  files = createOwnFiles(join(root, 'data'), (agentId, path) => changes.push(`${agentId} ${path}`))
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

const put = (path: string, text: string): void => {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), text)
}

describe('ownPath', () => {
  it.each([
    ['/', ''],
    ['', ''],
    ['./a//b/', 'a/b'],
    ['/SOUL.md', 'SOUL.md'],
    ['..hidden', '..hidden'],
    ['a..b/c', 'a..b/c'],
    ['%2e%2e/x', '%2e%2e/x'],
  ])('%j is %j', (path, own) => expect(ownPath(path)).toBe(own))

  it.each(['..', '../x', 'a/..', 'a/../b', '/../x', 'a\\..\\b', ' .. /x', 'a\0b', 'x'.repeat(2000)])(
    '%j is refused',
    (path) => {
      expect(() => ownPath(path)).toThrow()
    },
  )
})

describe('containment', () => {
  beforeEach(() => {
    put('outside/secret.md', 'secret')
    put('data/agents/main/SOUL.md', 'soul')
  })

  it.each([
    ['a link to a file', 'leak.md', 'secret.md', 'leak.md'],
    ['a link to a folder', 'leak', '', 'leak/secret.md'],
    ['a link that leads nowhere yet', 'leak.md', 'new.md', 'leak.md'],
  ])('%s does not lead out', async (_, link, target, path) => {
    symlinkSync(join(root, 'outside', target), join(root, 'data/agents/main', link))
    await expect(files.find('main', path)).rejects.toThrow('leads out')
    await expect(files.write('main', path, 'x')).rejects.toThrow('leads out')
    await expect(files.remove('main', path)).rejects.toThrow('leads out')
    expect(readFileSync(join(root, 'outside/secret.md'), 'utf8')).toBe('secret')
    expect(existsSync(join(root, 'outside/new.md'))).toBe(false)
  })

  it('a link within the folder is followed', async () => {
    symlinkSync(join(root, 'data/agents/main/SOUL.md'), join(root, 'data/agents/main/alias.md'))
    expect(await files.find('main', 'alias.md')).toMatchObject({ content: 'soul' })
  })

  it('another agent is outside', async () => {
    put('data/agents/other/SOUL.md', 'other')
    symlinkSync(join(root, 'data/agents/other'), join(root, 'data/agents/main/other'))
    await expect(files.find('main', 'other/SOUL.md')).rejects.toThrow('leads out')
    // A name cannot be a path either.
    expect(files.folder('../../outside')).toBe(join(root, 'data/agents/outside'))
  })
})

describe('skills', () => {
  it('shared ones show in the root, and are not deleted from here', async () => {
    put('data/skills/x/SKILL.md', 'shared')
    expect(await files.list('main', '/')).toEqual({ files: [], directories: ['skills/'] })
    await expect(files.remove('main', 'skills/x/SKILL.md')).rejects.toThrow('not found')
  })
})

it('tells of changes, and leaves nothing half done', async () => {
  await files.write('main', 'memory/a.md', 'a')
  await expect(files.write('main', 'memory', 'a file in the place of a folder')).rejects.toThrow('directory')
  await files.remove('main', 'memory/a.md')
  expect(changes).toEqual(['main memory/a.md', 'main memory/a.md'])
  expect(await files.list('main', '/')).toEqual({ files: [], directories: [] })
})

it('says what cannot be read as text', async () => {
  mkdirSync(join(root, 'data/agents/main'), { recursive: true })
  writeFileSync(join(root, 'data/agents/main/x.bin'), Buffer.from([0xff, 0xfe, 0x00, 0xff]))
  await expect(files.read('main', 'x.bin')).rejects.toThrow('not a text file')
  await expect(files.read('main', '')).rejects.toThrow('required')
})
