import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { makeFolder, removeFolder } from '../../test-folder'
import { localToolNode } from '../nodes/tool-node'
import { testContext } from '../test-context'
import type { Tool, ToolContext, ToolResult } from '../tool'
import { createApplyPatchTool } from './apply-patch'
import { createDeleteTool } from './delete'
import { createEditTool } from './edit'
import { createFileMemory, type FileMemory } from './file-memory'
import { createGlobTool, splitPattern } from './glob'
import { createGrepTool } from './grep'
import { createListTool } from './list'
import { createReadTool } from './read'
import { createWriteTool } from './write'

let dir: string
let memory: FileMemory
let context: ToolContext
beforeEach(() => {
  dir = makeFolder('files')
  memory = createFileMemory()
  context = { ...testContext(dir), resultBytes: 64 * 1024 }
})
afterEach(() => removeFolder(dir))

const at = (path: string) => join(dir, path)
const put = (path: string, data: string | Buffer) => writeFileSync(at(path), data)
const text = (path: string) => readFileSync(at(path), 'utf8')
const result = (outcome: ToolResult) => JSON.parse((outcome.content[0] as { text: string }).text)
const run = async <I>(tool: Tool<I>, args: unknown) => result(await tool.run(tool.parse(args), context))

const read = (args: object) => run(createReadTool(localToolNode('local', memory)), args)
const write = (args: object) => run(createWriteTool(localToolNode('local', memory)), args)
const edit = (args: object) => run(createEditTool(localToolNode('local', memory)), args)
const patch = (...lines: string[]) =>
  run(createApplyPatchTool(localToolNode('local', memory)), {
    patch: ['*** Begin Patch', ...lines, '*** End Patch'].join('\n'),
  })

describe('Read', () => {
  it('stops at whole lines before the result grows too large, and says where to go on', async () => {
    put('long.txt', 'a line of text\n'.repeat(10_000))
    const first = await read({ path: 'long.txt' })
    expect(first).toMatchObject({ truncated: true, nextOffset: first.lines })
    const next = await read({ path: 'long.txt', offset: first.nextOffset, limit: 1 })
    expect(next.content).toBe(`${first.lines + 1}\ta line of text`)
  })

  it('reads a few lines of a huge file without reading the rest', async () => {
    const file = openSync(at('huge.txt'), 'w')
    writeSync(file, 'one\ntwo\nthree\n')
    truncateSync(at('huge.txt'), 20 * 1024 ** 3)
    writeSync(file, 'x'.repeat(300_000), 14)
    expect(await read({ path: 'huge.txt', offset: 1, limit: 1 })).toMatchObject({ content: '2\ttwo' })
  })

  it('does not choke on one endless line', async () => {
    put('line.json', 'x'.repeat(5_000_000))
    expect(await read({ path: 'line.json' })).toMatchObject({ lines: 1, truncated: true })
  })

  it('does not wait for a pipe', async () => {
    execFileSync('mkfifo', [at('pipe')])
    await expect(read({ path: 'pipe' })).rejects.toMatchObject({ kind: 'InvalidPath' })
  })

  it('reads UTF-8 and UTF-16 with a byte order mark', async () => {
    put('bom.txt', '\uFEFFhé\r\nb\r\n')
    put('wide.txt', Buffer.from('\uFEFFhé there\r\nb\r\n', 'utf16le'))
    expect(await read({ path: 'bom.txt' })).toMatchObject({ content: '1\thé\n2\tb' })
    expect(await read({ path: 'wide.txt' })).toMatchObject({ content: '1\thé there\n2\tb' })
  })

  it('knows an empty file and an offset past the end', async () => {
    put('empty.txt', '')
    put('two.txt', 'a\nb')
    expect(await read({ path: 'empty.txt' })).toEqual({ path: at('empty.txt'), content: '', lines: 0 })
    expect(await read({ path: 'two.txt', offset: 9 })).toMatchObject({ lines: 0, note: 'The file has 2 lines' })
  })

  it.each(['', 'a\0b'])('refuses the path %j', async (path) => {
    await expect(read({ path })).rejects.toMatchObject({ kind: 'InvalidPath' })
  })
})

describe('Write', () => {
  it('writes through a symbolic link, also one that leads nowhere yet', async () => {
    put('target.txt', 'old')
    symlinkSync('target.txt', at('link'))
    symlinkSync('later/new.txt', at('dangling'))
    await write({ path: 'link', content: 'new' })
    await write({ path: 'dangling', content: 'made' })
    expect(lstatSync(at('link')).isSymbolicLink()).toBe(true)
    expect([text('target.txt'), text('later/new.txt')]).toEqual(['new', 'made'])
  })

  it('does not change the other name of a hard link', async () => {
    put('shared.txt', 'shared')
    linkSync(at('shared.txt'), at('mine.txt'))
    await write({ path: 'mine.txt', content: 'mine' })
    expect(text('shared.txt')).toBe('shared')
  })

  it('leaves nothing beside the file, also when it fails', async () => {
    await write({ path: 'a.txt', content: 'x' })
    mkdirSync(at('folder'))
    await expect(write({ path: 'folder', content: 'x' })).rejects.toMatchObject({ kind: 'InvalidPath' })
    expect(readdirSync(dir).sort()).toEqual(['a.txt', 'folder'])
  })

  it('warns when the file had changed since it was read', async () => {
    put('a.txt', 'one')
    await read({ path: 'a.txt' })
    expect(await write({ path: 'a.txt', content: 'two' })).not.toHaveProperty('warning')
    put('a.txt', 'somebody else')
    expect(await write({ path: 'a.txt', content: 'three' })).toHaveProperty('warning')
  })

  it('shows what would change', async () => {
    put('a.txt', 'one\ntwo\n')
    const tool = createWriteTool(localToolNode('local', memory))
    const diffs = await tool.preview?.({ path: 'a.txt', content: 'one\n2\n' }, context)
    expect(diffs).toEqual([
      { path: 'a.txt', kind: 'update', patch: '@@ -1,2 +1,2 @@\n one\n-two\n+2', added: 1, removed: 1 },
    ])
  })
})

describe('Edit', () => {
  it('keeps line ends, byte order mark and encoding', async () => {
    put('crlf.txt', '\uFEFFa\r\nb\r\nc\r\n')
    await edit({ path: 'crlf.txt', oldString: 'a\nb', newString: 'x\ny\nz' })
    expect(text('crlf.txt')).toBe('\uFEFFx\r\ny\r\nz\r\nc\r\n')
    put('wide.txt', Buffer.from('\uFEFFold text\n', 'utf16le'))
    await edit({ path: 'wide.txt', oldString: 'old', newString: 'new' })
    expect(readFileSync(at('wide.txt'), 'utf16le')).toBe('\uFEFFnew text\n')
  })

  it('keeps the mode', async () => {
    put('run.sh', 'echo a')
    chmodSync(at('run.sh'), 0o750)
    await edit({ path: 'run.sh', oldString: 'a', newString: 'b' })
    expect(statSync(at('run.sh')).mode & 0o777).toBe(0o750)
  })

  it('leaves mixed line ends alone', async () => {
    put('mixed.txt', 'a\r\nb\nc\n')
    await edit({ path: 'mixed.txt', oldString: 'b\nc', newString: 'B\nC' })
    expect(text('mixed.txt')).toBe('a\r\nB\nC\n')
  })

  it('says how near it was', async () => {
    put('a.py', 'def f():\n    return 1\n')
    await expect(edit({ path: 'a.py', oldString: 'def f():\n\treturn 1', newString: '' })).rejects.toThrow(
      'line 1 differs only in whitespace',
    )
    await expect(edit({ path: 'a.py', oldString: 'def f():\n    return 2', newString: '' })).rejects.toThrow(
      'its first line is line 1',
    )
  })

  it('refuses what is not text, empty and idle edits', async () => {
    put('bin', Buffer.from([0xff, 0x00, 0x61]))
    await expect(edit({ path: 'bin', oldString: 'a', newString: 'b' })).rejects.toThrow('not a text file')
    put('a.txt', 'a')
    await expect(edit({ path: 'a.txt', oldString: '', newString: 'b' })).rejects.toMatchObject({ kind: 'InvalidArgs' })
    await expect(edit({ path: 'a.txt', oldString: 'a', newString: 'a' })).rejects.toMatchObject({ kind: 'InvalidArgs' })
  })
})

describe('ApplyPatch', () => {
  it('adds, changes, moves and deletes together', async () => {
    put('old.txt', 'a\nb\n')
    put('gone.txt', 'x\n')
    const outcome = await patch(
      '*** Add File: new/n.txt',
      '+fresh',
      '*** Update File: old.txt',
      '*** Move to: moved.txt',
      '@@',
      ' a',
      '-b',
      '+B',
      '*** Delete File: gone.txt',
    )
    expect([text('new/n.txt'), text('moved.txt'), readdirSync(dir).sort()]).toEqual([
      'fresh\n',
      'a\nB\n',
      ['moved.txt', 'new'],
    ])
    expect(outcome.files).toEqual([
      { path: 'new/n.txt', kind: 'add', added: 1, removed: 0 },
      { path: 'moved.txt', kind: 'move', added: 1, removed: 1 },
      { path: 'gone.txt', kind: 'delete', added: 0, removed: 1 },
    ])
  })

  it('changes nothing when one hunk does not fit', async () => {
    put('a.txt', 'a\n')
    put('b.txt', 'b\n')
    const failing = patch('*** Update File: a.txt', '@@', '-a', '+A', '*** Update File: b.txt', '@@', '-z', '+B')
    await expect(failing).rejects.toThrow('hunk 1 of 1 for b.txt does not fit')
    expect([text('a.txt'), text('b.txt')]).toEqual(['a\n', 'b\n'])
  })

  it('puts back what it had written when the disk refuses the rest', async () => {
    put('a.txt', 'a\n')
    put('blocker', '')
    const failing = patch(
      '*** Update File: a.txt',
      '@@',
      '-a',
      '+A',
      '*** Add File: n.txt',
      '+n',
      '*** Add File: blocker/x',
      '+x',
    )
    await expect(failing).rejects.toThrow()
    expect([text('a.txt'), existsSync(at('n.txt'))]).toEqual(['a\n', false])
  })

  it('does not overwrite what is there', async () => {
    put('a.txt', 'a\n')
    await expect(patch('*** Add File: a.txt', '+x')).rejects.toMatchObject({ kind: 'InvalidPath' })
    put('b.txt', 'b\n')
    await expect(patch('*** Update File: a.txt', '*** Move to: b.txt')).rejects.toMatchObject({ kind: 'InvalidPath' })
  })

  it('names every path to the gate', () => {
    const tool = createApplyPatchTool(localToolNode('local', memory))
    const input = tool.parse({
      patch: '*** Begin Patch\n*** Update File: a\n*** Move to: ../../x\n*** Delete File: /etc/d\n*** End Patch',
    })
    expect(tool.access(input, { ...context, workspace: '/w/p' })).toMatchObject({
      paths: [
        { path: '/w/p/a', access: 'delete' },
        { path: '/x', access: 'write' },
        { path: '/etc/d', access: 'delete' },
      ],
    })
  })
})

describe('Delete and List', () => {
  const remove = (args: object) => run(createDeleteTool(localToolNode()), args)

  it('deletes files, links and, when told so, full folders', async () => {
    mkdirSync(at('full/inner'), { recursive: true })
    put('full/f', '')
    put('kept', 'x')
    symlinkSync('kept', at('link'))
    await remove({ path: 'link' })
    await expect(remove({ path: 'full' })).rejects.toMatchObject({ code: 'ENOTEMPTY' })
    await remove({ path: 'full', recursive: true })
    expect(readdirSync(dir)).toEqual(['kept'])
  })

  it.each(['.', '..', '/'])('never deletes %s', async (path) => {
    await expect(remove({ path, recursive: true })).rejects.toMatchObject({ kind: 'InvalidPath' })
  })

  it('lists folders first', async () => {
    put('b.txt', 'four')
    mkdirSync(at('z'))
    symlinkSync('b.txt', at('a'))
    expect(await run(createListTool(localToolNode()), {})).toEqual({
      path: dir,
      entries: [
        { name: 'z', type: 'directory' },
        { name: 'a', type: 'link' },
        { name: 'b.txt', type: 'file', size: 4 },
      ],
      count: 3,
    })
  })
})

describe('Glob and Grep', () => {
  it('start where an absolute or upward pattern points', () => {
    expect(splitPattern('/a/b/**/*.ts', undefined, '/w')).toEqual({ base: '/a/b', rest: '**/*.ts' })
    expect(splitPattern('../*.md', 'docs', '/w')).toEqual({ base: '/w', rest: '*.md' })
    expect(splitPattern('./src/*.md', undefined, '/w')).toEqual({ base: '/w', rest: 'src/*.md' })
  })

  it('see hidden and ignored files, and skip .git and node_modules unless named', async () => {
    for (const folder of ['.git', 'node_modules/x', '.github']) mkdirSync(at(folder), { recursive: true })
    for (const file of ['.gitignore', 'ignored.log', '.git/a', 'node_modules/x/a', '.github/a'])
      put(file, '*.log needle')
    const found = async (pattern: string) =>
      (await run(createGlobTool(localToolNode()), { pattern })).matches
        .map((path: string) => path.slice(dir.length + 1))
        .sort()
    expect(await found('**/*')).toEqual(['.github/a', '.gitignore', 'ignored.log'])
    expect(await found('node_modules/**')).toEqual(['node_modules/x/a'])
    expect(await run(createGrepTool(localToolNode()), { pattern: 'needle' })).toMatchObject({ count: 3 })
  })

  it('say what is wrong', async () => {
    await expect(run(createGlobTool(localToolNode()), { pattern: 'a[' })).rejects.toMatchObject({ kind: 'InvalidArgs' })
    await expect(run(createGlobTool(localToolNode()), { pattern: '*', path: 'no' })).rejects.toMatchObject({
      kind: 'FileNotFound',
    })
    await expect(run(createGrepTool(localToolNode()), { pattern: 'a{9,1}' })).rejects.toMatchObject({
      kind: 'InvalidArgs',
    })
  })

  it('take names and patterns that look like options', async () => {
    put('-e', '--files\n')
    expect(await run(createGrepTool(localToolNode()), { pattern: '--files', path: '-e' })).toMatchObject({ count: 1 })
  })

  it('stop when told to', async () => {
    const stop = new AbortController()
    stop.abort()
    const tool = createGrepTool(localToolNode())
    await expect(tool.run({ pattern: 'x' }, { ...context, signal: stop.signal })).rejects.toBe(stop.signal.reason)
  })
})

describe('a name that is no UTF-8', () => {
  // File systems of a Mac do not allow such names.
  it.skipIf(process.platform === 'darwin')('is found, listed, read, written and deleted', async () => {
    const bytes = (name: string) => Buffer.concat([Buffer.from(`${dir}/`), Buffer.from(name, 'latin1')])
    mkdirSync(bytes('d\xe9'))
    writeFileSync(bytes('caf\xe9.txt'), 'a needle\n')
    writeFileSync(bytes('d\xe9/inner.txt'), 'another needle\n')
    const node = localToolNode('local', memory)
    const names = [at('caf\\xe9.txt'), at('d\\xe9/inner.txt')]
    expect((await run(createGrepTool(node), { pattern: 'needle' })).matches).toEqual([
      { path: names[0], line: 1, content: 'a needle' },
      { path: names[1], line: 1, content: 'another needle' },
    ])
    expect((await run(createGlobTool(node), { pattern: '**/*.txt' })).matches.sort()).toEqual(names)
    expect((await run(createListTool(node), {})).entries).toEqual([
      { name: 'd\\xe9', type: 'directory' },
      { name: 'caf\\xe9.txt', type: 'file', size: 9 },
    ])
    expect((await run(createListTool(node), { path: 'd\\xe9' })).entries).toMatchObject([{ name: 'inner.txt' }])
    expect((await read({ path: 'caf\\xe9.txt' })).content).toContain('a needle')
    await write({ path: 'caf\\xe9.txt', content: 'changed\n' })
    expect(readFileSync(bytes('caf\xe9.txt'), 'utf8')).toBe('changed\n')
    await run(createDeleteTool(node), { path: 'caf\\xe9.txt' })
    expect(readdirSync(dir, 'buffer').map((name) => name.toString('latin1'))).toEqual(['d\xe9'])
    await expect(run(createGrepTool(node), { pattern: 'needle', path: 'd\\xe9' })).rejects.toThrow('the folder above')
  })
})
