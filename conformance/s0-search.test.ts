import { mkdirSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { decides, openBench, vocabularies } from './harness'

describe.each(vocabularies)('search in $label', (vocabulary) => {
  const bench = openBench(vocabulary)
  const at = (path: string) => join(bench.workspace, path)
  const put = (path: string, data: string | Buffer, age = 0) => {
    mkdirSync(dirname(at(path)), { recursive: true })
    writeFileSync(at(path), data)
    const time = Date.now() / 1000 - age
    utimesSync(at(path), time, time)
  }

  describe('Glob', () => {
    beforeAll(() => {
      put('find/top.md', '', 30)
      put('find/docs/deep/low.md', '', 10)
      put('find/src/a/b.rs', '', 20)
      put('find/lib/c.rs', '', 40)
      writeFileSync(join(bench.outside, 'far.md'), '')
    })
    const matches = async (args: object) => (await bench.ok('Glob', { path: 'find', ...args })).matches

    it('S0-Glob-01 has its name', () => expect(bench.definition('Glob')).toBeDefined())
    it('S0-Glob-02 needs a pattern', async () => expect(await bench.error('Glob', {})).toContain('pattern'))
    decides('S0-Glob-03 S0-Glob-10', '**/*.md matches at every depth, newest first', async () => {
      expect(await matches({ pattern: '**/*.md' })).toEqual([at('find/docs/deep/low.md'), at('find/top.md')])
    })
    it('S0-Glob-04 a prefix narrows', async () => {
      expect(await matches({ pattern: 'src/**/*.rs' })).toEqual([at('find/src/a/b.rs')])
    })
    it('S0-Glob-05 path is the workspace by default', async () => {
      expect(await bench.ok('Glob', { pattern: 'find/*.md' })).toMatchObject({ matches: [at('find/top.md')] })
    })
    decides(
      'S0-Path-04 S0-Glob-06 S0-Glob-07 S0-Glob-08 S0-Glob-09',
      'returns pattern, basePath, matches and count',
      async () => {
        expect(await bench.ok('Glob', { pattern: '**/*.rs', path: 'find' })).toEqual({
          pattern: '**/*.rs',
          basePath: at('find'),
          matches: [at('find/src/a/b.rs'), at('find/lib/c.rs')],
          count: 2,
        })
      },
    )
    it('S0-Path-09 takes absolute paths as they are', async () => {
      expect(await bench.ok('Glob', { pattern: '*', path: bench.outside })).toMatchObject({
        basePath: bench.outside,
        matches: [join(bench.outside, 'far.md')],
      })
    })
  })

  describe('Grep', () => {
    beforeAll(() => {
      put('grep/a.md', 'one\nneedle 42\nthree\n')
      put('grep/sub/b.ts', 'needle 7\n')
      put('grep/sub/c.rs', 'needle x\n')
      put('grep/md.dir/d.txt', 'needle 1\n')
      writeFileSync(join(bench.outside, 'linked.txt'), 'beyond the link\n')
      symlinkSync(join(bench.outside, 'linked.txt'), at('grep/link.txt'))
      put('binary/bad.txt', Buffer.concat([Buffer.from('treasure\n'), Buffer.from([0xff, 0xfe, 0x80])]))
      put('binary/zero.bin', 'treasure\n\0\0')
      put('binary/good.txt', 'treasure\n')
      put('hundred/a.txt', 'row\n'.repeat(60))
      put('hundred/b.txt', 'row\n'.repeat(40))
      put('more/a.txt', 'row\n'.repeat(101))
      put('long/a.txt', `start ${'é'.repeat(1000)}\n`)
    })
    const paths = async (args: object) =>
      ((await bench.ok('Grep', { path: 'grep', ...args })).matches as { path: string }[]).map(({ path }) => path)

    it('S0-Grep-01 has its name', () => expect(bench.definition('Grep')).toBeDefined())
    it('S0-Grep-02 needs a pattern', async () => expect(await bench.error('Grep', {})).toContain('pattern'))
    it('S0-Grep-03 the pattern is a regular expression in Rust syntax', async () => {
      expect(await paths({ pattern: '(?i)NEEDLE\\s\\p{Nd}{2}\\z' })).toEqual([at('grep/a.md')])
      const { error } = await bench.call('Grep', { pattern: '(unclosed' })
      expect(error).toMatchObject({ kind: 'InvalidArgs', message: expect.stringContaining('unclosed group') })
    })
    it('S0-Grep-04 path is the workspace by default', async () => {
      expect(await bench.ok('Grep', { pattern: 'needle 42' })).toMatchObject({ basePath: bench.workspace, count: 1 })
    })
    it('S0-Grep-05 all files by default', async () => {
      expect(await paths({ pattern: 'needle' })).toHaveLength(4)
    })
    it('S0-Grep-06 include filters by extension', async () => {
      expect(await paths({ pattern: 'needle', include: '*.md' })).toEqual([at('grep/a.md')])
    })
    it('S0-Grep-07 include knows braces', async () => {
      expect(await paths({ pattern: 'needle', include: '*.{rs,ts}' })).toEqual([
        at('grep/sub/b.ts'),
        at('grep/sub/c.rs'),
      ])
    })
    it('S0-Grep-08 include looks at the name only', async () => {
      expect(await paths({ pattern: 'needle', include: 'sub/*' })).toEqual([])
      expect(await paths({ pattern: 'needle', include: 'md*' })).toEqual([])
    })
    decides(
      'S0-Path-05 S0-Grep-09 S0-Grep-10 S0-Grep-11 S0-Grep-12 S0-Grep-13 S0-Grep-14',
      'returns all of it',
      async () => {
        expect(await bench.ok('Grep', { pattern: 'needle 4', path: 'grep' })).toEqual({
          pattern: 'needle 4',
          basePath: at('grep'),
          matches: [{ path: at('grep/a.md'), line: 2, content: 'needle 42' }],
          count: 1,
        })
      },
    )
    it('S0-Grep-14 exactly 100 matches are counted', async () => {
      const result = await bench.ok('Grep', { pattern: 'row', path: 'hundred' })
      expect(result).toMatchObject({ count: 100 })
      expect(result).not.toHaveProperty('truncated')
    })
    decides('S0-Grep-15 S0-Grep-16 S0-Grep-17', 'more than 100 are cut and not counted', async () => {
      const result = await bench.ok('Grep', { pattern: 'row', path: 'more' })
      expect(result.matches).toHaveLength(100)
      expect(result.truncated).toBe(true)
      expect(result).not.toHaveProperty('count')
    })
    it('S0-Grep-18 follows symbolic links', async () => {
      expect(await paths({ pattern: 'beyond' })).toEqual([at('grep/link.txt')])
    })
    it('S0-Grep-19 skips binary files', async () => {
      expect(await paths({ pattern: 'treasure', path: 'binary' })).toEqual([at('binary/good.txt')])
    })
    it('S0-Grep-20 cuts lines at 200 characters', async () => {
      expect(await bench.ok('Grep', { pattern: 'start', path: 'long' })).toMatchObject({
        matches: [{ content: `start ${'é'.repeat(194)}` }],
      })
    })
    it('S0-Path-10 takes absolute paths as they are', async () => {
      expect(await bench.ok('Grep', { pattern: 'beyond', path: bench.outside })).toMatchObject({
        basePath: bench.outside,
        matches: [{ path: join(bench.outside, 'linked.txt') }],
      })
    })
  })
})
