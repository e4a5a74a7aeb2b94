import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { decides } from './harness'
import { openWorld } from './world'

describe("the agent's own files", () => {
  const world = openWorld()
  const { result, error } = world
  const own = (path: string) => join(world.dataDir, 'agents/main', path)
  const shared = (path: string) => join(world.dataDir, 'skills', path)
  const put = (file: string, text: string) => {
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text)
  }
  /** Every file of the data folder that belongs to agents, with its bytes and time. */
  const snapshot = () =>
    readdirSync(join(world.dataDir, 'agents'), { recursive: true, encoding: 'utf8' }).map((path) => {
      const { size, mtimeMs } = statSync(join(world.dataDir, 'agents', path))
      return `${path} ${size} ${mtimeMs}`
    })
  const schemaOf = (tool: string) =>
    world.definitions().find(({ name }) => name === `gsv__${tool}`)?.parameters as { required?: string[] }

  describe('in general', () => {
    it('S1-Gen-01 every native tool begins with gsv__', () => {
      const names = world.engine.nodes.registry.list().map(({ id }) => `${id}__`)
      const native = world.definitions().filter(({ name }) => !names.some((node) => name.startsWith(node)))
      expect(native.map(({ name }) => name).sort()).toEqual([
        'gsv__ConfigGet',
        'gsv__Cron',
        'gsv__DeleteFile',
        'gsv__EditFile',
        'gsv__ListFiles',
        'gsv__LogsGet',
        'gsv__Message',
        'gsv__ReadFile',
        'gsv__SessionSend',
        'gsv__SessionsList',
        'gsv__Transfer',
        'gsv__WriteFile',
      ])
    })
    it('S1-Gen-02 they are there without any other machine', async () => {
      expect(world.engine.nodes.gateway.nodes()).toEqual([])
      expect(await result('ListFiles')).toBeDefined()
    })
    it('S1-Gen-03 names are case-sensitive', async () => {
      expect((await world.call('gsv__readfile', { path: 'SOUL.md' })).error).toMatchObject({ kind: 'NotFound' })
      expect((await world.call('GSV__ReadFile', { path: 'SOUL.md' })).error).toMatchObject({ kind: 'NotFound' })
    })
    it('S1-Gen-04 success is {ok, result}', async () => {
      const answer = await world.answer('gsv__WriteFile', { path: 'a.md', content: 'a' })
      expect(answer).toEqual({ ok: true, result: { path: 'a.md', size: 1, written: true } })
    })
    it('S1-Gen-05 failure is {ok, error}', async () => {
      expect(await world.answer('gsv__ReadFile', { path: 'none.md' })).toEqual({
        ok: false,
        error: 'File not found: none.md',
      })
      expect(await world.answer('gsv__ReadFile', {})).toEqual({ ok: false, error: expect.stringContaining('path') })
    })
  })

  describe('where they are', () => {
    it('S1-Ws-01 each agent has its own', async () => {
      const helper = world.engine.createSession({ toolset: 'gsv', mode: 'all', agentId: 'helper' })
      await result('WriteFile', { path: 'mine.md', content: 'of the helper' }, helper.id)
      expect(readFileSync(join(world.dataDir, 'agents/helper/mine.md'), 'utf8')).toBe('of the helper')
      expect(await error('ReadFile', { path: 'mine.md' })).toContain('not found')
      expect((await result('ListFiles')).files).not.toContain('mine.md')
      expect(await result('ReadFile', { path: 'mine.md' }, helper.id)).toMatchObject({ content: 'of the helper' })
    })
    it('S1-Ws-02 paths start there', async () => {
      await result('WriteFile', { path: 'notes/x.md', content: 'x' })
      expect(readFileSync(own('notes/x.md'), 'utf8')).toBe('x')
      await result('WriteFile', { path: '/notes/y.md', content: 'y' })
      expect(readFileSync(own('notes/y.md'), 'utf8')).toBe('y')
    })
    it.each([
      ['S1-Ws-03', 'ListFiles', {}],
      ['S1-Ws-04', 'ReadFile', {}],
      ['S1-Ws-05', 'WriteFile', { content: 'x' }],
      ['S1-Ws-06', 'EditFile', { oldString: 'a', newString: 'b' }],
      ['S1-Ws-07', 'DeleteFile', {}],
    ])('%s %s refuses to go up', async (_, tool, more) => {
      put(join(world.dataDir, 'agents/victim.md'), 'a')
      put(join(world.root, 'outside/victim.md'), 'a')
      if (!existsSync(own('link'))) symlinkSync(join(world.root, 'outside'), own('link'))
      for (const path of [
        '../victim.md',
        'notes/../../victim.md',
        '..',
        'a\\..\\..\\victim.md',
        '/../victim.md',
        'skills/../../x',
      ]) {
        expect(await error(tool, { path, ...more })).toContain('traversal')
      }
      // A link is no way out either.
      expect(await error(tool, { path: tool === 'ListFiles' ? 'link' : 'link/victim.md', ...more })).toContain(
        'leads out',
      )
      expect(readFileSync(join(world.dataDir, 'agents/victim.md'), 'utf8')).toBe('a')
      expect(readFileSync(join(world.root, 'outside/victim.md'), 'utf8')).toBe('a')
    })
    it('S1-Ws-08 skills/ is the own copy first', async () => {
      put(shared('both/SKILL.md'), 'shared')
      put(own('skills/both/SKILL.md'), 'own')
      expect(await result('ReadFile', { path: 'skills/both/SKILL.md' })).toMatchObject({ content: 'own' })
    })
    it('S1-Ws-09 skills/ falls back to the shared copy', async () => {
      put(shared('only/SKILL.md'), 'shared')
      expect(await result('ReadFile', { path: 'skills/only/SKILL.md' })).toMatchObject({ content: 'shared' })
    })
  })

  describe('ListFiles', () => {
    it('S1-ListFiles-01 has its name', () => expect(schemaOf('ListFiles')).toBeDefined())
    decides('S1-ListFiles-02 S1-ListFiles-03', 'the root is listed by default and as /', async () => {
      put(own('SOUL.md'), 'soul')
      const root = await result('ListFiles')
      expect(root).toMatchObject({ path: '/', files: expect.arrayContaining(['SOUL.md']) })
      expect(await result('ListFiles', { path: '/' })).toEqual(root)
    })
    it('S1-ListFiles-04 memory/ is listed', async () => {
      put(own('memory/2024-01-15.md'), 'a day')
      expect(await result('ListFiles', { path: 'memory/' })).toEqual({
        path: 'memory/',
        files: ['memory/2024-01-15.md'],
        directories: [],
      })
    })
    it('S1-ListFiles-05 skills/ is listed', async () => {
      put(shared('summarize/SKILL.md'), 'shared')
      expect((await result('ListFiles', { path: 'skills/' })).directories).toContain('skills/summarize/')
    })
    decides('S1-ListFiles-06 S1-ListFiles-07 S1-ListFiles-08', 'gives path, files and directories', async () => {
      expect(await result('ListFiles', { path: 'memory' })).toEqual({
        path: 'memory',
        files: [expect.any(String)],
        directories: expect.any(Array),
      })
    })
    it('S1-ListFiles-09 one level only', async () => {
      put(own('deep/er/est.md'), 'x')
      expect(await result('ListFiles', { path: 'deep' })).toEqual({
        path: 'deep',
        files: [],
        directories: ['deep/er/'],
      })
      expect((await result('ListFiles')).directories).toContain('deep/')
    })
    decides('S1-ListFiles-10 S1-ListFiles-11', 'skills/ joins both places, each name once', async () => {
      put(shared('mix/shared.md'), 'shared')
      put(shared('mix/SKILL.md'), 'shared')
      put(own('skills/mix/own.md'), 'own')
      put(own('skills/mix/SKILL.md'), 'own')
      expect(await result('ListFiles', { path: 'skills/mix' })).toEqual({
        path: 'skills/mix',
        files: ['skills/mix/SKILL.md', 'skills/mix/own.md', 'skills/mix/shared.md'],
        directories: [],
      })
      expect(await result('ReadFile', { path: 'skills/mix/SKILL.md' })).toMatchObject({ content: 'own' })
    })
    it('S1-ListFiles-12 changes nothing', async () => {
      const before = snapshot()
      await result('ListFiles', { path: 'nowhere' })
      await result('ListFiles', { path: 'skills/' })
      expect(snapshot()).toEqual(before)
    })
  })

  describe('ReadFile', () => {
    it('S1-ReadFile-01 has its name', () => expect(schemaOf('ReadFile')).toBeDefined())
    it('S1-ReadFile-02 needs a path', async () => {
      expect(schemaOf('ReadFile').required).toEqual(['path'])
      expect(await error('ReadFile', {})).toContain('path')
      expect(await error('ReadFile', { path: '/' })).toContain('required')
    })
    decides(
      'S1-ReadFile-03 S1-ReadFile-06 S1-ReadFile-07 S1-ReadFile-08 S1-ReadFile-09 S1-ReadFile-13',
      'reads SOUL.md',
      async () => {
        put(own('SOUL.md'), 'sœul')
        expect(await result('ReadFile', { path: 'SOUL.md' })).toEqual({
          path: 'SOUL.md',
          content: 'sœul',
          size: 5,
          lastModified: new Date(statSync(own('SOUL.md')).mtimeMs).toISOString(),
        })
      },
    )
    it('S1-ReadFile-04 reads a note', async () => {
      expect(await result('ReadFile', { path: 'memory/2024-01-15.md' })).toMatchObject({ content: 'a day' })
    })
    it('S1-ReadFile-05 reads a skill', async () => {
      expect(await result('ReadFile', { path: 'skills/summarize/SKILL.md' })).toMatchObject({ content: 'shared' })
    })
    decides('S1-ReadFile-10 S1-ReadFile-11 S1-ReadFile-12', 'tells whose copy of a skill it is', async () => {
      expect(await result('ReadFile', { path: 'skills/summarize/SKILL.md' })).toMatchObject({
        resolvedPath: 'skills/summarize/SKILL.md',
        resolvedSource: 'global',
      })
      expect(await result('ReadFile', { path: 'skills/mix/SKILL.md' })).toMatchObject({
        resolvedPath: 'agents/main/skills/mix/SKILL.md',
        resolvedSource: 'agent',
      })
    })
    it('S1-ReadFile-14 a missing file is an error', async () => {
      expect(await error('ReadFile', { path: 'missing.md' })).toBe('File not found: missing.md')
      expect(await error('ReadFile', { path: 'skills/none/SKILL.md' })).toContain('not found')
    })
    it('S1-ReadFile-15 changes nothing', async () => {
      const before = snapshot()
      await result('ReadFile', { path: 'skills/summarize/SKILL.md' })
      await result('ReadFile', { path: 'SOUL.md' })
      expect(snapshot()).toEqual(before)
    })
  })

  describe('WriteFile', () => {
    it('S1-WriteFile-01 has its name', () => expect(schemaOf('WriteFile')).toBeDefined())
    it('S1-WriteFile-02 needs a path', async () => expect(await error('WriteFile', { content: 'x' })).toContain('path'))
    it('S1-WriteFile-03 needs content', async () => {
      expect(await error('WriteFile', { path: 'x.md' })).toContain('content')
      expect(await result('WriteFile', { path: 'empty.md', content: '' })).toMatchObject({ size: 0 })
    })
    decides(
      'S1-WriteFile-04 S1-WriteFile-05 S1-WriteFile-06 S1-WriteFile-07',
      'creates a file and tells its size in bytes',
      async () => {
        expect(await result('WriteFile', { path: 'new.md', content: 'naïve 🙂' })).toEqual({
          path: 'new.md',
          size: 11,
          written: true,
        })
        expect(readFileSync(own('new.md'), 'utf8')).toBe('naïve 🙂')
      },
    )
    it('S1-WriteFile-08 overwrites', async () => {
      await result('WriteFile', { path: 'new.md', content: 'other' })
      expect(readFileSync(own('new.md'), 'utf8')).toBe('other')
    })
    it('S1-WriteFile-09 makes folders', async () => {
      await result('WriteFile', { path: 'not/yet/there.md', content: 'x' })
      expect(readFileSync(own('not/yet/there.md'), 'utf8')).toBe('x')
    })
    it.each([
      ['S1-WriteFile-10', 'a.md', 'text/markdown'],
      ['S1-WriteFile-11', 'a.json', 'application/json'],
      ['S1-WriteFile-12', 'a.yaml', 'text/yaml'],
      ['S1-WriteFile-13', 'a.yml', 'text/yaml'],
      ['S1-WriteFile-14', 'a.csv', 'text/plain'],
    ])('%s %s is %s', async (_, path, type) => {
      await result('WriteFile', { path, content: '{}' })
      const destination = `${world.engine.nodes.registry.localId()}:${join(world.workspace, path)}`
      expect(await result('Transfer', { source: `gsv:${path}`, destination })).toMatchObject({ mime: type })
    })
    it('S1-WriteFile-15 a skill is written to the own copy', async () => {
      await result('WriteFile', { path: 'skills/summarize/SKILL.md', content: 'mine' })
      expect(readFileSync(own('skills/summarize/SKILL.md'), 'utf8')).toBe('mine')
      expect(readFileSync(shared('summarize/SKILL.md'), 'utf8')).toBe('shared')
      await result('WriteFile', { path: 'skills/summarize/SKILL.md', content: 'mine again' })
      expect(await result('ReadFile', { path: 'skills/summarize/SKILL.md' })).toMatchObject({ content: 'mine again' })
    })
  })

  describe('EditFile', () => {
    const edit = (path: string, oldString: string, newString: string, more: object = {}) =>
      result('EditFile', { path, oldString, newString, ...more })
    const textAfter = async (text: string, ...change: [string, string, object?]) => {
      put(own('edit.md'), text)
      await edit('edit.md', ...change)
      return readFileSync(own('edit.md'), 'utf8')
    }

    it('S1-EditFile-01 has its name', () => expect(schemaOf('EditFile')).toBeDefined())
    it.each([
      ['S1-EditFile-02', 'path', { oldString: 'a', newString: 'b' }],
      ['S1-EditFile-03', 'oldString', { path: 'edit.md', newString: 'b' }],
      ['S1-EditFile-04', 'newString', { path: 'edit.md', oldString: 'a' }],
      ['S1-EditFile-05', 'oldString', { path: 'edit.md', oldString: '', newString: 'b' }],
    ])('%s %s is needed', async (_, name, args) => {
      put(own('edit.md'), 'a')
      expect(await error('EditFile', args)).toContain(name)
      expect(readFileSync(own('edit.md'), 'utf8')).toBe('a')
    })
    decides('S1-EditFile-06 S1-EditFile-07', 'one match is replaced, to the letter', async () => {
      expect(await textAfter('a.b axb', 'a.b', '$& $1 $$')).toBe('$& $1 $$ axb')
    })
    it('S1-EditFile-08 replaceAll replaces all', async () => {
      expect(await textAfter('x-x-x', 'x', 'yy', { replaceAll: true })).toBe('yy-yy-yy')
    })
    decides('S1-EditFile-09 S1-EditFile-10 S1-EditFile-11', 'tells path, replacements and edited', async () => {
      put(own('edit.md'), 'x-x')
      expect(await edit('edit.md', 'x', 'y', { replaceAll: true })).toEqual({
        path: 'edit.md',
        replacements: 2,
        edited: true,
      })
    })
    decides(
      'S1-EditFile-12 S1-EditFile-13 S1-EditFile-15 S1-EditFile-16',
      'a shared skill is edited into an own copy',
      async () => {
        put(shared('tune/SKILL.md'), 'shared text')
        expect(await edit('skills/tune/SKILL.md', 'shared', 'tuned')).toEqual({
          path: 'skills/tune/SKILL.md',
          replacements: 1,
          edited: true,
          resolvedSource: 'global',
          resolvedPath: 'skills/tune/SKILL.md',
        })
        expect(readFileSync(shared('tune/SKILL.md'), 'utf8')).toBe('shared text')
        expect(readFileSync(own('skills/tune/SKILL.md'), 'utf8')).toBe('tuned text')
      },
    )
    it('S1-EditFile-14 an own copy is edited itself', async () => {
      expect(await edit('skills/tune/SKILL.md', 'tuned', 'retuned')).toMatchObject({ resolvedSource: 'agent' })
      expect(readFileSync(own('skills/tune/SKILL.md'), 'utf8')).toBe('retuned text')
    })
    it('S1-EditFile-17 what is not there cannot be replaced', async () => {
      expect(await error('EditFile', { path: 'edit.md', oldString: 'zzz', newString: 'b' })).toContain('not found')
      expect(await error('EditFile', { path: 'none.md', oldString: 'a', newString: 'b' })).toContain('not found')
    })
    decides('S1-EditFile-18 S1-EditFile-19', 'several matches are an error that counts them', async () => {
      put(own('edit.md'), 'a a a')
      expect(await error('EditFile', { path: 'edit.md', oldString: 'a', newString: 'b' })).toContain('3 times')
      expect(readFileSync(own('edit.md'), 'utf8')).toBe('a a a')
    })
  })

  describe('DeleteFile', () => {
    it('S1-DeleteFile-01 has its name', () => expect(schemaOf('DeleteFile')).toBeDefined())
    it('S1-DeleteFile-02 needs a path', async () => expect(await error('DeleteFile', {})).toContain('path'))
    decides('S1-DeleteFile-03 S1-DeleteFile-04 S1-DeleteFile-05', 'the file is gone', async () => {
      put(own('gone/away.md'), 'x')
      expect(await result('DeleteFile', { path: 'gone/away.md' })).toEqual({ path: 'gone/away.md', deleted: true })
      expect(existsSync(own('gone/away.md'))).toBe(false)
      expect((await result('ListFiles')).directories).not.toContain('gone/')
    })
    it('S1-DeleteFile-06 a missing file is an error', async () => {
      expect(await error('DeleteFile', { path: 'gone/away.md' })).toContain('not found')
      expect(await error('DeleteFile', { path: 'skills/only/SKILL.md' })).toContain('not found')
      expect(readFileSync(shared('only/SKILL.md'), 'utf8')).toBe('shared')
    })
  })
})
