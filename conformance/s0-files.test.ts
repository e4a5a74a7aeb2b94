import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { decides, openBench, vocabularies, withoutRoot } from './harness'

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
const tenMegabytes = 10 * 1024 * 1024

describe.each(vocabularies)('files in $label', (vocabulary) => {
  const bench = openBench(vocabulary)
  const at = (path: string) => join(bench.workspace, path)
  const put = (path: string, data: string | Buffer) => {
    writeFileSync(at(path), data)
    return path
  }
  const textOf = (path: string) => readFileSync(at(path), 'utf8')

  describe('paths', () => {
    it('S0-Path-01 Read starts at the workspace', async () => {
      put('here.txt', 'here')
      expect(await bench.ok('Read', { path: 'here.txt' })).toMatchObject({ path: at('here.txt'), content: '1\there' })
    })
    it('S0-Path-02 Write starts at the workspace', async () => {
      await bench.ok('Write', { path: 'written.txt', content: 'x' })
      expect(textOf('written.txt')).toBe('x')
    })
    it('S0-Path-03 Edit starts at the workspace', async () => {
      put('edit-here.txt', 'old')
      await bench.ok('Edit', { path: 'edit-here.txt', oldString: 'old', newString: 'new' })
      expect(textOf('edit-here.txt')).toBe('new')
    })
    it('S0-Path-06 Read takes absolute paths as they are', async () => {
      writeFileSync(join(bench.outside, 'far.txt'), 'far')
      expect(await bench.ok('Read', { path: join(bench.outside, 'far.txt') })).toMatchObject({ content: '1\tfar' })
    })
    it('S0-Path-07 Write takes absolute paths as they are', async () => {
      await bench.ok('Write', { path: join(bench.outside, 'w.txt'), content: 'x' })
      expect(readFileSync(join(bench.outside, 'w.txt'), 'utf8')).toBe('x')
    })
    it('S0-Path-08 Edit takes absolute paths as they are', async () => {
      writeFileSync(join(bench.outside, 'e.txt'), 'old')
      await bench.ok('Edit', { path: join(bench.outside, 'e.txt'), oldString: 'old', newString: 'new' })
      expect(readFileSync(join(bench.outside, 'e.txt'), 'utf8')).toBe('new')
    })
  })

  describe('Read', () => {
    it('S0-Read-01 has its name', () => expect(bench.definition('Read')).toBeDefined())
    it('S0-Read-02 needs a path', async () => expect(await bench.error('Read', {})).toContain('path'))
    it('S0-Read-03 offset is 0 by default', async () => {
      put('three.txt', 'a\nb\nc\n')
      expect(await bench.ok('Read', { path: 'three.txt', limit: 1 })).toMatchObject({ content: '1\ta' })
    })
    it('S0-Read-04 offset counts from 0', async () => {
      expect(await bench.ok('Read', { path: 'three.txt', offset: 1, limit: 1 })).toMatchObject({ content: '2\tb' })
    })
    it('S0-Read-05 limit is the whole file by default', async () => {
      put('many.txt', Array.from({ length: 5000 }, (_, line) => `line ${line}\n`).join(''))
      expect(await bench.ok('Read', { path: 'many.txt' })).toMatchObject({ lines: 5000 })
    })
    it('S0-Read-06 limit caps the lines', async () => {
      expect(await bench.ok('Read', { path: 'three.txt', limit: 2 })).toMatchObject({ lines: 2, content: '1\ta\n2\tb' })
    })
    decides('S0-Read-07 S0-Read-08 S0-Read-09', 'returns path, content and lines', async () => {
      expect(await bench.ok('Read', { path: './three.txt' })).toEqual({
        path: at('three.txt'),
        content: '1\ta\n2\tb\n3\tc',
        lines: 3,
      })
    })
    it('S0-Read-10 numbers each line from 1, with a tab', async () => {
      const { content } = await bench.ok('Read', { path: 'many.txt' })
      expect((content as string).split('\n').every((line, index) => line === `${index + 1}\tline ${index}`)).toBe(true)
    })
    it('S0-Read-11 numbering starts at offset + 1', async () => {
      const { content } = await bench.ok('Read', { path: 'many.txt', offset: 4242, limit: 2 })
      expect(content).toBe('4243\tline 4242\n4244\tline 4243')
    })
    it('S0-Read-12 sniffs what is not UTF-8', async () => {
      put('misnamed.txt', png)
      expect((await bench.call('Read', { path: 'misnamed.txt' })).content[1]).toMatchObject({ mimeType: 'image/png' })
    })
    decides(
      'S0-Read-13 S0-Read-14 S0-Read-15 S0-Read-16 S0-Read-17 S0-Read-18',
      'gives an image as content blocks',
      async () => {
        put('photo.png', png)
        expect(await bench.call('Read', { path: 'photo.png' })).toEqual({
          content: [
            { type: 'text', text: `Image file: photo.png (image/png, ${png.length} bytes)` },
            { type: 'image', data: png.toString('base64'), mimeType: 'image/png' },
          ],
          isError: false,
          error: null,
        })
      },
    )
    it('S0-Read-19 an image of 10 MB is returned', async () => {
      put('big.png', Buffer.concat([png, Buffer.alloc(tenMegabytes - png.length)]))
      const { content } = await bench.call('Read', { path: 'big.png' })
      expect(content[1]).toMatchObject({ type: 'image', mimeType: 'image/png' })
    })
    it('S0-Read-20 an image over 10 MB is an error', async () => {
      put('bigger.png', Buffer.concat([png, Buffer.alloc(tenMegabytes - png.length + 1)]))
      expect(await bench.error('Read', { path: 'bigger.png' })).toContain('10 MB')
    })
    decides('S0-Read-21 S0-Read-22', 'offset and limit do not matter for images', async () => {
      const { content } = await bench.call('Read', { path: 'photo.png', offset: 3, limit: 1 })
      expect(content[1]).toMatchObject({ data: png.toString('base64') })
    })
    decides('S0-Read-23 S0-Read-24', 'another binary file is an error that names it', async () => {
      const data = gzipSync('hello')
      put('archive.tar.gz', data)
      const outcome = await bench.call('Read', { path: 'archive.tar.gz' })
      const error = `Binary file: archive.tar.gz (application/gzip, ${data.length} bytes) — not a text or image file`
      expect(outcome.isError).toBe(true)
      expect(outcome.content).toEqual([{ type: 'text', text: JSON.stringify({ error }) }])
    })
    it('S0-Read-25 a missing file is an error', async () => {
      expect((await bench.call('Read', { path: 'nothing.txt' })).error).toMatchObject({ kind: 'FileNotFound' })
    })
    it('S0-Read-26 an unreadable file is an error', async () => {
      chmodSync(at(put('locked.txt', 'x')), 0)
      const { error } = await withoutRoot(() => bench.call('Read', { path: 'locked.txt' }))
      expect(error).toMatchObject({ kind: 'PermissionDenied' })
    })
    it('S0-Read-27 a directory is an error', async () => {
      expect((await bench.call('Read', { path: '.' })).error).toMatchObject({ kind: 'InvalidPath' })
    })
  })

  describe('Write', () => {
    it('S0-Write-01 has its name', () => expect(bench.definition('Write')).toBeDefined())
    it('S0-Write-02 needs a path', async () => expect(await bench.error('Write', { content: 'x' })).toContain('path'))
    it('S0-Write-03 needs content', async () => expect(await bench.error('Write', { path: 'x' })).toContain('content'))
    decides('S0-Write-04 S0-Write-05', 'returns the path and the bytes', async () => {
      expect(await bench.ok('Write', { path: 'w.txt', content: 'é€' })).toEqual({ path: at('w.txt'), bytes: 5 })
    })
    it('S0-Write-06 makes missing folders', async () => {
      await bench.ok('Write', { path: 'a/b/c.txt', content: 'deep' })
      expect(textOf('a/b/c.txt')).toBe('deep')
    })
    it('S0-Write-07 overwrites', async () => {
      chmodSync(at(put('over.txt', 'a much longer text')), 0o755)
      await bench.ok('Write', { path: 'over.txt', content: 'short' })
      expect([textOf('over.txt'), statSync(at('over.txt')).mode & 0o777]).toEqual(['short', 0o755])
    })
    it('S0-Write-08 a folder that cannot be made is an error', async () => {
      mkdirSync(at('shut'))
      chmodSync(at('shut'), 0o555)
      const { error } = await withoutRoot(() => bench.call('Write', { path: 'shut/new/x.txt', content: 'x' }))
      expect(error).toMatchObject({ kind: 'PermissionDenied' })
      expect(existsSync(at('shut/new'))).toBe(false)
    })
    it('S0-Write-09 a file that cannot be written is an error', async () => {
      chmodSync(at(put('fixed.txt', 'x')), 0o444)
      const { error } = await withoutRoot(() => bench.call('Write', { path: 'fixed.txt', content: 'y' }))
      expect(error).toMatchObject({ kind: 'PermissionDenied' })
      expect(textOf('fixed.txt')).toBe('x')
    })
    it.runIf(existsSync('/dev/full'))('S0-Write-10 a full disk is an error', async () => {
      expect(await bench.error('Write', { path: '/dev/full', content: 'x' })).toContain('No space left')
    })
  })

  describe('Edit', () => {
    const edit = (text: string, args: object) => {
      put('edit.txt', text)
      return { path: 'edit.txt', ...args }
    }
    it('S0-Edit-01 has its name', () => expect(bench.definition('Edit')).toBeDefined())
    it.each([
      ['S0-Edit-02', 'path'],
      ['S0-Edit-03', 'oldString'],
      ['S0-Edit-04', 'newString'],
    ])('%s needs %s', async (_, field) => {
      const args = { ...edit('a', { oldString: 'a', newString: 'b' }), [field]: undefined }
      expect(await bench.error('Edit', args)).toContain(field)
    })
    decides(
      'S0-Edit-05 S0-Edit-15 S0-Edit-16 S0-Edit-17',
      'without replaceAll several matches are an error that counts and advises',
      async () => {
        const message = await bench.error('Edit', edit('a-a-a', { oldString: 'a', newString: 'b' }))
        expect(message).toContain('3')
        expect(message).toContain('replaceAll: true')
        expect(textOf('edit.txt')).toBe('a-a-a')
      },
    )
    decides('S0-Edit-06 S0-Edit-09 S0-Edit-10', 'replaces one match', async () => {
      const args = edit('one two', { oldString: 'two', newString: 'three', replaceAll: false })
      expect(await bench.ok('Edit', args)).toEqual({ path: at('edit.txt'), replacements: 1 })
      expect(textOf('edit.txt')).toBe('one three')
    })
    decides('S0-Edit-07 S0-Edit-11', 'replaceAll replaces every match', async () => {
      const args = edit('a-a-a', { oldString: 'a', newString: 'b', replaceAll: true })
      expect(await bench.ok('Edit', args)).toEqual({ path: at('edit.txt'), replacements: 3 })
      expect(textOf('edit.txt')).toBe('b-b-b')
    })
    it('S0-Edit-08 matches exact text', async () => {
      await bench.ok('Edit', edit('a.b axb', { oldString: 'a.b', newString: "$& $1 $' $$" }))
      expect(textOf('edit.txt')).toBe("$& $1 $' $$ axb")
    })
    it('S0-Edit-12 a missing file is an error', async () => {
      const { error } = await bench.call('Edit', { path: 'no.txt', oldString: 'a', newString: 'b' })
      expect(error).toMatchObject({ kind: 'FileNotFound' })
    })
    it('S0-Edit-13 an unreadable file is an error', async () => {
      chmodSync(at(put('secret.txt', 'a')), 0)
      const args = { path: 'secret.txt', oldString: 'a', newString: 'b' }
      const { error } = await withoutRoot(() => bench.call('Edit', args))
      expect(error).toMatchObject({ kind: 'PermissionDenied' })
    })
    it('S0-Edit-14 no match is an error', async () => {
      expect(await bench.error('Edit', edit('abc', { oldString: 'x', newString: 'y' }))).toContain('not found')
    })
  })
})
