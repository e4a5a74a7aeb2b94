import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { buddy, requiredOf } from './buddy'
import { openBench } from './harness'
import { refused, told } from './miclaw'

const bench = openBench(buddy())
const at = (name: string) => join(bench.workspace, name)
const read = (path: string) => told(bench, 'read_file', { path })

describe('read_file', () => {
  it('S2-ReadFile-01 has its name', () => expect(bench.definition('read_file')).toBeDefined())
  it('S2-ReadFile-02 needs a path', async () => {
    expect(requiredOf(bench, 'read_file')).toEqual(['path'])
    expect(await refused(bench, 'read_file', {})).toBe('Tool error: invalid arguments: `path` is required')
  })
  it('S2-ReadFile-03 returns the text', async () => {
    writeFileSync(at('hostname'), 'tender\n')
    expect(await read(at('hostname'))).toBe('tender\n')
    expect(await read('hostname')).toBe('tender\n')
    expect(await refused(bench, 'read_file', { path: '.' })).toContain('directory')
    writeFileSync(at('binary'), Buffer.from([0, 1, 2, 0xff]))
    expect(await refused(bench, 'read_file', { path: 'binary' })).toContain('not a text file')
  })
  it('S2-ReadFile-04 counts 8000 characters, not bytes', async () => {
    for (const character of ['a', 'ñ', '水', '🚢']) {
      writeFileSync(at('long'), character.repeat(20_000))
      expect(await read('long')).toBe(`${character.repeat(8000)}...[truncated]`)
    }
    // Large files are not read for the sake of their beginning, and the cut never goes through a character.
    writeFileSync(at('long'), `x${'🚢'.repeat(3_000_000)}`)
    expect(await read('long')).toBe(`x${'🚢'.repeat(7999)}...[truncated]`)
  })
  it('S2-ReadFile-05 marks what it has cut', async () => {
    writeFileSync(at('cut'), 'b'.repeat(8001))
    expect(await read('cut')).toMatch(/b\.\.\.\[truncated\]$/)
  })
  it('S2-ReadFile-06 leaves what fits as it is', async () => {
    for (const text of ['', '\n\n', 'a\r\nb', '🚢'.repeat(8000), 'b'.repeat(8000)]) {
      writeFileSync(at('whole'), text)
      expect(await read('whole')).toBe(text)
    }
  })
})

describe('write_file', () => {
  const write = (path: string, content: string) => told(bench, 'write_file', { path, content })

  it('S2-WriteFile-01 has its name', () => expect(bench.definition('write_file')).toBeDefined())
  it('S2-WriteFile-02 needs a path', async () => {
    expect(requiredOf(bench, 'write_file')).toContain('path')
    expect(await refused(bench, 'write_file', { content: 'x' })).toMatch(/^Tool error: invalid arguments: .*path/)
  })
  it('S2-WriteFile-03 needs content', async () => {
    expect(requiredOf(bench, 'write_file')).toContain('content')
    expect(await refused(bench, 'write_file', { path: 'x' })).toMatch(/^Tool error: invalid arguments: .*content/)
    expect(existsSync(at('x'))).toBe(false)
  })
  it('S2-WriteFile-04 makes a file', async () => {
    await write('new.txt', 'hello world\n')
    expect(readFileSync(at('new.txt'), 'utf8')).toBe('hello world\n')
  })
  it('S2-WriteFile-05 overwrites one', async () => {
    writeFileSync(at('old.txt'), 'a longer text than the new one')
    await write('old.txt', 'short')
    expect(readFileSync(at('old.txt'), 'utf8')).toBe('short')
  })
  it('S2-WriteFile-06 says how many bytes went where', async () => {
    expect(await write(at('output.txt'), 'hello world\n')).toBe(`Wrote 12 bytes to ${at('output.txt')}`)
    expect(await write('ship.txt', '🚢')).toBe('Wrote 4 bytes to ship.txt')
    expect(await write('empty.txt', '')).toBe('Wrote 0 bytes to empty.txt')
  })
})
