import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { decides, openBench } from './harness'
import { miclaw, refused, told } from './miclaw'

const bench = openBench(miclaw())
const ask = (tool: string, args: unknown) => told(bench, tool, args)
const fail = (tool: string, args: unknown) => refused(bench, tool, args)
const at = (path: string) => join(bench.workspace, path)
const put = (path: string, text: string) => {
  mkdirSync(join(at(path), '..'), { recursive: true })
  writeFileSync(at(path), text)
}
const text = (path: string) => readFileSync(at(path), 'utf8')

describe('read', () => {
  it('S3-Read-01 needs a path', async () => expect(await fail('read', {})).toContain('path'))
  decides('S3-Read-02 S3-Read-03 S3-Read-08', 'reads from a line counted from 0, so many, with numbers', async () => {
    put('five', 'a\nb\nc\nd\ne\n')
    expect(await ask('read', { path: 'five' })).toBe('1\ta\n2\tb\n3\tc\n4\td\n5\te')
    expect(await ask('read', { path: 'five', offset: 0, limit: 1 })).toBe('1\ta')
    expect(await ask('read', { path: 'five', offset: 1, limit: 2 })).toBe('2\tb\n3\tc')
    expect(await ask('read', { path: 'five', offset: 9 })).toContain('5 lines')
  })
  decides('S3-Read-04 S3-Read-06 S3-Read-07', 'a page is 50 KB, and says how to go on', async () => {
    put(
      'long',
      Array.from({ length: 20_000 }, (_, n) => `line number ${n}`)
        .join('\n')
        .concat('\n'),
    )
    const page = await ask('read', { path: 'long' })
    expect(Buffer.byteLength(page)).toBeLessThanOrEqual(50 * 1024)
    expect(Buffer.byteLength(page)).toBeGreaterThan(40 * 1024)
    const next = Number(/Continue with offset=(\d+)\]$/.exec(page)?.[1])
    expect(page.split('\n').at(-2)).toBe(`${next}\tline number ${next - 1}`)
    expect((await ask('read', { path: 'long', offset: next })).split('\n')[0]).toBe(`${next + 1}\tline number ${next}`)
  })
  it('S3-Read-05 no page is larger than 512 KB', async () => {
    put('huge', 'some words on a line\n'.repeat(60_000))
    const page = await ask('read', { path: 'huge', limit: 60_000 })
    expect(Buffer.byteLength(page)).toBeLessThanOrEqual(512 * 1024)
    expect(Buffer.byteLength(page)).toBeGreaterThan(400 * 1024)
    expect(page).toMatch(/Continue with offset=\d+\]$/)
    put('one-line', 'x'.repeat(2_000_000))
    const line = await ask('read', { path: 'one-line', limit: 1 })
    expect(line.length).toBeLessThanOrEqual(512 * 1024)
    expect(line).toContain('is cut here')
  })
})

describe('write', () => {
  it('S3-Write-01 needs a path', async () => expect(await fail('write', { content: 'x' })).toContain('path'))
  it('S3-Write-02 needs a content', async () => expect(await fail('write', { path: 'x' })).toContain('content'))
  it('S3-Write-03 makes folders', async () => {
    await ask('write', { path: 'new/deep/file', content: 'hello' })
    expect(text('new/deep/file')).toBe('hello')
  })
  it('S3-Write-04 overwrites all of it', async () => {
    put('old', 'a long text that was here before')
    await ask('write', { path: 'old', content: 'short' })
    expect(text('old')).toBe('short')
  })
})

describe('edit', () => {
  const whole = { path: 'poem', old_text: 'green', new_text: 'blue' }
  it.each([
    ['S3-Edit-01', 'path'],
    ['S3-Edit-02', 'old_text'],
    ['S3-Edit-03', 'new_text'],
  ])('%s needs %s', async (_, field) => {
    put('poem', 'The green sea\n')
    const { [field as keyof typeof whole]: _left, ...rest } = whole
    expect(await fail('edit', rest)).toContain(field)
    expect(text('poem')).toBe('The green sea\n')
  })
  decides('S3-Edit-04 S3-Edit-07', 'what occurs once is replaced, the rest stays', async () => {
    put('poem', 'The green sea\r\n\tand the sky $& \u00e9\n\n')
    await ask('edit', whole)
    expect(text('poem')).toBe('The blue sea\r\n\tand the sky $& \u00e9\n\n')
  })
  it('S3-Edit-05 what does not occur is an error', async () => {
    put('poem', 'The red sea\n')
    expect(await fail('edit', whole)).toMatch(/not/i)
    expect(text('poem')).toBe('The red sea\n')
  })
  it('S3-Edit-06 what occurs twice is an error', async () => {
    put('poem', 'green green\n')
    expect(await fail('edit', whole)).toMatch(/2/)
    expect(text('poem')).toBe('green green\n')
  })
})

describe('apply_patch', () => {
  it('S3-Patch-01 needs a patch', async () => expect(await fail('apply_patch', {})).toContain('patch'))
  it('S3-Patch-02 needs its envelope', async () => {
    expect(await fail('apply_patch', { patch: '*** Add File: loose\n+x' })).toContain('Begin Patch')
    expect(existsSync(at('loose'))).toBe(false)
  })
  decides('S3-Patch-03 S3-Patch-04 S3-Patch-05 S3-Patch-06', 'adds, changes and deletes in one go', async () => {
    put('keep.go', 'package main\n\nfunc a() {\n\told()\n}\n')
    put('remove.go', 'gone\n')
    const patch = [
      '*** Begin Patch',
      '*** Add File: fresh/new.go',
      '+package fresh',
      '+',
      '',
      '*** Update File: keep.go',
      '@@ func a() { @@',
      '-\told()',
      '+\tnew()',
      ' }',
      '',
      '*** Delete File: remove.go',
      '*** End Patch',
    ].join('\n')
    await ask('apply_patch', { patch })
    expect(text('fresh/new.go')).toBe('package fresh\n\n')
    expect(text('keep.go')).toBe('package main\n\nfunc a() {\n\tnew()\n}\n')
    expect(existsSync(at('remove.go'))).toBe(false)
  })
  decides(
    'S3-Patch-07 S3-Patch-08 S3-Patch-09 S3-Patch-10',
    'a hunk is found by its context; space stays, minus goes, plus comes',
    async () => {
      put('two.txt', 'first\nsame\nsecond\nsame\nend\n')
      const hunk = ['@@ second @@', ' same', '-end', '+END', '+after']
      const patch = ['*** Begin Patch', '*** Update File: two.txt', ...hunk, '*** End Patch'].join('\n')
      await ask('apply_patch', { patch })
      expect(text('two.txt')).toBe('first\nsame\nsecond\nsame\nEND\nafter\n')
      const second = ['@@ second @@', '-same', '+other']
      await ask('apply_patch', {
        patch: ['*** Begin Patch', '*** Update File: two.txt', ...second, '*** End Patch'].join('\n'),
      })
      expect(text('two.txt')).toBe('first\nsame\nsecond\nother\nEND\nafter\n')
    },
  )
})

describe('finding', () => {
  const plant = () => {
    put('find/a.go', 'alpha 1\nbeta 22\n')
    put('find/deep/b.go', 'alpha 333\n')
    put('find/c.txt', 'alpha 4444\n')
  }
  it('S3-Grep-01 needs a pattern, which is a regular expression', async () => {
    plant()
    expect(await fail('grep', {})).toContain('pattern')
    expect(await ask('grep', { pattern: 'a\\s\\d{2}$', path: 'find' })).toBe('find/a.go:2: beta 22')
  })
  decides(
    'S3-Grep-02 S3-Grep-04 S3-Grep-05 S3-Grep-06',
    'finds lines of the workspace with path and number',
    async () => {
      plant()
      const found = (await ask('grep', { pattern: 'alpha' })).split('\n')
      expect(found).toEqual(['find/a.go:1: alpha 1', 'find/c.txt:1: alpha 4444', 'find/deep/b.go:1: alpha 333'])
      expect(await ask('grep', { pattern: 'no such word' })).toBe('No matches.')
    },
  )
  it('S3-Grep-03 include chooses files', async () => {
    plant()
    expect(await ask('grep', { pattern: 'alpha', path: 'find', include: '*.txt' })).toBe('find/c.txt:1: alpha 4444')
  })
  it('S3-Glob-01 needs a pattern', async () => expect(await fail('glob', {})).toContain('pattern'))
  decides('S3-Glob-02 S3-Glob-03 S3-Glob-04', 'finds files at any depth, from the workspace', async () => {
    plant()
    const everywhere = (await ask('glob', { pattern: '**/*.go' })).split('\n')
    expect(everywhere).toEqual(expect.arrayContaining(['find/a.go', 'find/deep/b.go']))
    expect(everywhere).not.toContain('find/c.txt')
    expect((await ask('glob', { pattern: '*.go', path: 'find' })).split('\n')).toEqual(['find/a.go'])
  })
  it('S3-Ls-01 needs a path', async () => expect(await fail('ls', {})).toContain('path'))
  decides('S3-Ls-02 S3-Ls-03', 'entries have type and size', async () => {
    plant()
    expect((await ask('ls', { path: 'find' })).split('\n')).toEqual([
      expect.stringMatching(/^dir\t\d+\tdeep$/),
      'file\t16\ta.go',
      'file\t11\tc.txt',
    ])
  })
})
