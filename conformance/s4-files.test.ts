import { spawn } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { clawft, failure, schemaOf } from './clawft'
import { decides, openBench, withoutRoot } from './harness'

const bench = openBench(clawft())
const at = (path: string) => join(bench.workspace, path)
const put = (path: string, text: string) => writeFileSync(at(path), text)
const textOf = (path: string) => readFileSync(at(path), 'utf8')
const kind = async (tool: string, args: unknown) => (await failure(bench, tool, args)).kind

describe('read_file', () => {
  it('S4-ReadFile-01 has its name', () => expect(bench.definition('read_file')).toBeDefined())
  it('S4-ReadFile-02 needs a path', async () => {
    expect(schemaOf(bench, 'read_file').required).toEqual(['path'])
    expect(await kind('read_file', {})).toBe('InvalidArgs')
  })
  it('S4-ReadFile-03 answers with the content', async () => {
    put('read.txt', 'one\ntwo ü\n')
    expect(await bench.ok('read_file', { path: 'read.txt' })).toEqual({ content: 'one\ntwo ü\n' })
  })
  it('S4-ReadFile-04 starts at the workspace', async () => {
    mkdirSync(at('deep/er'), { recursive: true })
    put('deep/er/file', 'x')
    for (const path of ['deep/er/file', './deep/er/file', 'deep/../deep/er/file', at('deep/er/file')])
      expect(await bench.ok('read_file', { path })).toEqual({ content: 'x' })
  })
  decides('S4-ReadFile-05 S4-ReadFile-06 S4-ReadFile-07', 'refuses what is outside', async () => {
    writeFileSync(join(bench.outside, 'secret'), 'secret')
    for (const path of [
      '../../../etc/passwd',
      '../outside/secret',
      '/etc/passwd',
      join(bench.outside, 'secret'),
      'deep/../../outside/secret',
      '/proc/self/environ',
      '..',
    ])
      expect(['InvalidPath', 'FileNotFound']).toContain(await kind('read_file', { path }))
  })
})

describe('write_file', () => {
  it('S4-WriteFile-01 has its name', () => expect(bench.definition('write_file')).toBeDefined())
  decides('S4-WriteFile-02 S4-WriteFile-03', 'needs path and content', async () => {
    expect(schemaOf(bench, 'write_file').required).toEqual(['path', 'content'])
    expect(await kind('write_file', { content: 'x' })).toBe('InvalidArgs')
    expect(await kind('write_file', { path: 'x' })).toBe('InvalidArgs')
  })
  decides('S4-WriteFile-04 S4-WriteFile-07', 'creates the file and says how much was written', async () => {
    expect(await bench.ok('write_file', { path: 'new.txt', content: 'héllo' })).toEqual({
      message: 'Successfully wrote 6 bytes to new.txt',
    })
    expect(textOf('new.txt')).toBe('héllo')
  })
  it('S4-WriteFile-05 creates missing folders', async () => {
    await bench.ok('write_file', { path: 'a/b/c/d.txt', content: 'deep' })
    expect(textOf('a/b/c/d.txt')).toBe('deep')
  })
  it('S4-WriteFile-06 overwrites, and keeps the mode', async () => {
    writeFileSync(at('mode.sh'), 'old', { mode: 0o750 })
    await bench.ok('write_file', { path: 'mode.sh', content: 'new' })
    expect(textOf('mode.sh')).toBe('new')
    expect(statSync(at('mode.sh')).mode & 0o777).toBe(0o750)
  })
  decides('S4-WriteFile-08 S4-WriteFile-09', 'looks at the deepest ancestor that exists', async () => {
    symlinkSync(bench.outside, at('way-out'))
    for (const path of [
      'way-out/new.txt',
      'way-out/a/b/new.txt',
      '../outside/x',
      '/tmp/deckhand-never',
      'a/../../outside/y',
    ])
      expect(await kind('write_file', { path, content: 'x' })).toBe('InvalidPath')
    expect(existsSync(join(bench.outside, 'new.txt'))).toBe(false)
    expect(existsSync(join(bench.outside, 'a'))).toBe(false)
  })
  it('does not write through a hard link to a file that also lives elsewhere', async () => {
    writeFileSync(join(bench.outside, 'shared'), 'theirs')
    linkSync(join(bench.outside, 'shared'), at('shared'))
    await bench.ok('write_file', { path: 'shared', content: 'ours' })
    expect(readFileSync(join(bench.outside, 'shared'), 'utf8')).toBe('theirs')
  })
})

describe('edit_file', () => {
  it('S4-EditFile-01 has its name', () => expect(bench.definition('edit_file')).toBeDefined())
  decides('S4-EditFile-02 S4-EditFile-03 S4-EditFile-04', 'needs path, old_text and new_text', async () => {
    expect(schemaOf(bench, 'edit_file').required).toEqual(['path', 'old_text', 'new_text'])
    for (const missing of ['path', 'old_text', 'new_text']) {
      const args = { path: 'x', old_text: 'a', new_text: 'b', [missing]: undefined }
      expect(await kind('edit_file', args)).toBe('InvalidArgs')
    }
  })
  decides('S4-EditFile-05 S4-EditFile-06', 'replaces the one occurrence', async () => {
    put('edit.txt', 'fn main() {}\n')
    const edit = { path: 'edit.txt', old_text: '{}', new_text: '{ $& $1 }' }
    expect(await bench.ok('edit_file', edit)).toEqual({ message: 'Successfully edited edit.txt' })
    expect(textOf('edit.txt')).toBe('fn main() { $& $1 }\n')
  })
  it('S4-EditFile-07 an absent text is InvalidArgs', async () => {
    expect(await kind('edit_file', { path: 'edit.txt', old_text: 'absent', new_text: '' })).toBe('InvalidArgs')
  })
  decides('S4-EditFile-08 S4-EditFile-09', 'several occurrences are InvalidArgs with their number', async () => {
    put('many.txt', 'a a a')
    const { kind: found, told } = await failure(bench, 'edit_file', { path: 'many.txt', old_text: 'a', new_text: 'b' })
    expect(found).toBe('InvalidArgs')
    expect(told.error).toContain('3')
    expect(textOf('many.txt')).toBe('a a a')
  })
  it('S4-EditFile-10 stays inside', async () => {
    writeFileSync(join(bench.outside, 'edit'), 'old')
    for (const path of ['../outside/edit', join(bench.outside, 'edit'), 'way-out/edit'])
      expect(await kind('edit_file', { path, old_text: 'old', new_text: 'new' })).toBe('InvalidPath')
    expect(readFileSync(join(bench.outside, 'edit'), 'utf8')).toBe('old')
  })
})

describe('list_directory', () => {
  it('S4-ListDir-01 has its name', () => expect(bench.definition('list_directory')).toBeDefined())
  it('S4-ListDir-02 needs a path', async () => expect(await kind('list_directory', {})).toBe('InvalidArgs'))
  decides(
    'S4-ListDir-03 S4-ListDir-04 S4-ListDir-05 S4-ListDir-06 S4-ListDir-08 S4-ListDir-09',
    'lists the children',
    async () => {
      mkdirSync(at('list/sub/below'), { recursive: true })
      put('list/b.txt', '12345')
      put('list/a.txt', '')
      put('list/Z', '1')
      const { entries } = (await bench.ok('list_directory', { path: 'list' })) as { entries: object[] }
      expect(entries).toEqual([
        { name: 'Z', is_dir: false, size: 1 },
        { name: 'a.txt', is_dir: false, size: 0 },
        { name: 'b.txt', is_dir: false, size: 5 },
        { name: 'sub', is_dir: true, size: statSync(at('list/sub')).size },
      ])
    },
  )
  it('S4-ListDir-07 what cannot be looked at has size 0', async () => {
    mkdirSync(at('blind'))
    put('blind/file', 'content')
    // Readable but not searchable: names are seen, nothing else is.
    chmodSync(at('blind'), 0o444)
    const listed = await withoutRoot(() => bench.ok('list_directory', { path: 'blind' }))
    chmodSync(at('blind'), 0o755)
    expect(listed).toEqual({ entries: [{ name: 'file', is_dir: false, size: 0 }] })
  })
  it('S4-ListDir-10 stays inside', async () => {
    for (const path of ['..', '/', 'way-out', '../outside'])
      expect(await kind('list_directory', { path })).toBe('InvalidPath')
  })
})

describe('containment', () => {
  it('S4-Sec-01 joins the path to the workspace', async () => {
    put('joined.txt', 'j')
    expect(await bench.ok('read_file', { path: 'joined.txt' })).toEqual({ content: 'j' })
  })
  it('S4-Sec-02 resolves links, dots and double dots', async () => {
    mkdirSync(at('one/two'), { recursive: true })
    put('one/two/f', 'f')
    symlinkSync('one/two', at('inner-link'))
    for (const path of ['inner-link/f', './one/./two/f', 'one/two/../two/f', 'inner-link/../two/f'])
      expect(await bench.ok('read_file', { path })).toEqual({ content: 'f' })
  })
  it('S4-Sec-03 a sibling whose name begins alike is outside', async () => {
    const sibling = `${bench.workspace}-evil`
    mkdirSync(sibling)
    writeFileSync(join(sibling, 'f'), 'x')
    expect(await kind('read_file', { path: '../workspace-evil/f' })).toBe('InvalidPath')
    expect(await kind('read_file', { path: join(sibling, 'f') })).toBe('InvalidPath')
  })
  it('S4-Sec-04 a link inside that leads outside is refused', async () => {
    writeFileSync(join(bench.outside, 'target'), 'x')
    symlinkSync(join(bench.outside, 'target'), at('file-link'))
    symlinkSync('/no/such/place/outside', at('dangling'))
    expect(await kind('read_file', { path: 'file-link' })).toBe('InvalidPath')
    expect(await kind('write_file', { path: 'file-link', content: 'y' })).toBe('InvalidPath')
    expect(await kind('write_file', { path: 'dangling', content: 'y' })).toBe('InvalidPath')
    expect(readFileSync(join(bench.outside, 'target'), 'utf8')).toBe('x')
  })
  it('S4-Sec-05 leaving the workspace is InvalidPath', async () => {
    for (const tool of ['read_file', 'list_directory'])
      expect(await kind(tool, { path: bench.outside })).toBe('InvalidPath')
    expect((await failure(bench, 'read_file', { path: bench.outside })).told.error).toMatch(/^invalid path: /)
  })
  it('S4-Sec-06 a new file is judged by the deepest ancestor that exists', async () => {
    await bench.ok('write_file', { path: 'fresh/deeper/new', content: 'n' })
    expect(realpathSync(at('fresh/deeper/new'))).toBe(`${realpathSync(bench.workspace)}/fresh/deeper/new`)
    expect(await kind('write_file', { path: 'fresh/nowhere/../../../x', content: 'n' })).toMatch(
      /InvalidPath|FileNotFound/,
    )
  })
  it('a folder that is swapped for a link while we write leads nowhere else', async () => {
    mkdirSync(at('swap'))
    mkdirSync(at('spare'))
    mkdirSync(join(bench.outside, 'victim'))
    const swap = 'while :; do mv swap spare/real; ln -s "$1" swap; rm -rf swap; mv spare/real swap; done'
    const swapping = spawn('sh', ['-c', swap, 'sh', join(bench.outside, 'victim')], {
      cwd: bench.workspace,
      stdio: 'ignore',
    })
    let refused = 0
    for (let n = 0; n < 300; n++) {
      if ((await bench.call('write_file', { path: `swap/f${n}`, content: 'x' })).isError) refused++
    }
    const ended = new Promise((resolve) => swapping.once('exit', resolve))
    swapping.kill('SIGKILL')
    await ended
    expect(refused).toBeGreaterThan(0)
    expect(readdirSync(join(bench.outside, 'victim'))).toEqual([])
  })
})
