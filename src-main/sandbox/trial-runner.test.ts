import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { ProcessTable } from '../nodes/process-table'
import { openTestTable } from '../nodes/test-table'
import { makeFolder, removeFolder } from '../test-folder'
import { createGround, type Ground, sandboxHere } from './test-ground'
import { createTrialRunner, type Trial, type TrialRunner } from './trial-runner'

// A folder of its own for what trials leave behind: others may be at work in the common one.
const scratch = makeFolder('trials-test')
process.env.TMPDIR = scratch
afterAll(() => removeFolder(scratch))

const { canTry } = await sandboxHere()

describe.skipIf(!canTry).each([
  ['a layer over the workspace', process.env.PATH ?? ''],
  ['a copy, where the kernel has no layers', '/nowhere'],
])('a trial in %s', (_, path) => {
  let ground: Ground
  let table: ProcessTable
  let trialRunner: TrialRunner
  const trials: Trial[] = []

  beforeEach(() => {
    ground = createGround()
    table = openTestTable(join(ground.root, 'logs'))
    trialRunner = createTrialRunner({ sandbox: ground.sandbox, table, shell: '/bin/sh', path })
    ground.write('home/me/project/a.txt', 'one\ntwo\n')
    ground.write('home/me/project/dir/b.txt', 'b\n')
    ground.write('home/me/project/dir/c.txt', 'c\n')
  })
  afterEach(async () => {
    for (const trial of trials.splice(0)) await trial.close()
    await table.close()
    await ground.remove()
    expect(readdirSync(scratch)).toEqual([])
  })

  const begin = async (command: string): Promise<Trial> => {
    const { workspace } = ground
    // What a file was given a moment ago must not look like something that came with the trial.
    await sleep(40)
    const trial = await trialRunner.begin({ sessionId: 's', callId: 'c', workspace, command, cwd: workspace })
    trials.push(trial)
    return trial
  }
  const file = (name: string): string => readFileSync(join(ground.workspace, name), 'utf8')

  test('shows what would change, and changes nothing', async () => {
    const { end } = await begin(
      'echo three >> a.txt; echo new > d.txt; rm -r dir; mkdir dir; echo x > dir/x.txt; echo done; exit 3',
    )
    const { exitCode, tail, files, more, obstacle, typedWord } = await end
    expect({ exitCode, tail: tail.trim(), more, obstacle, typedWord }).toEqual({
      exitCode: 3,
      tail: 'done',
      more: 0,
      obstacle: undefined,
      typedWord: undefined,
    })
    expect(files.map(({ path, kind, added, removed }) => [path, kind, added, removed])).toEqual([
      ['a.txt', 'update', 1, 0],
      ['d.txt', 'add', 1, 0],
      ['dir/b.txt', 'delete', 0, 1],
      ['dir/c.txt', 'delete', 0, 1],
      ['dir/x.txt', 'add', 1, 0],
    ])
    expect([file('a.txt'), existsSync(join(ground.workspace, 'd.txt')), file('dir/b.txt')]).toEqual([
      'one\ntwo\n',
      false,
      'b\n',
    ])
  })

  test('applies exactly that', async () => {
    writeFileSync(join(ground.workspace, 'run.sh'), 'true\n')
    chmodSync(join(ground.workspace, 'run.sh'), 0o644)
    const trial = await begin(
      'sed -i s/two/2/ a.txt; rm -r dir; mkdir -p new/deep; echo x > new/deep/x; ln -s deep/x new/link; chmod 755 run.sh; touch src/app.ts',
    )
    const { files } = await trial.end
    // What was only touched is the same as before.
    expect(files.map(({ path }) => path)).not.toContain('src/app.ts')
    await trial.apply()
    expect({
      a: file('a.txt'),
      dir: existsSync(join(ground.workspace, 'dir')),
      link: file('new/link'),
      mode: statSync(join(ground.workspace, 'run.sh')).mode & 0o777,
    }).toEqual({ a: 'one\n2\n', dir: false, link: 'x\n', mode: 0o755 })
  })

  test('takes names that are no UTF-8 along', async () => {
    const trial = await begin(`echo new > "$(printf 'made\\351')"`)
    expect((await trial.end).files.map(({ path }) => path)).toEqual(['made\\xe9'])
    await trial.apply()
    expect(readdirSync(ground.workspace, 'buffer').map((name) => name.toString('latin1'))).toContain('made\xe9')
  })

  test('counts an empty folder, and a file of the repository, once', async () => {
    await ground.run('git init -q .')
    const { files, more } = await (await begin('mkdir empty && echo x > .git/note')).end
    expect([files.map(({ path }) => path), more]).toEqual([['empty'], 1])
  })

  test('a folder may become a file, and a file a folder', async () => {
    const trial = await begin('rm -r dir && echo file > dir && rm a.txt && mkdir a.txt && echo in > a.txt/in')
    await trial.end
    await trial.apply()
    expect([file('dir'), file('a.txt/in')]).toEqual(['file\n', 'in\n'])
  })

  test('applies nothing when the workspace has changed since', async () => {
    const trial = await begin('echo three >> a.txt; echo b > z.txt')
    await trial.end
    writeFileSync(join(ground.workspace, 'a.txt'), 'somebody else\n')
    await expect(trial.apply()).rejects.toThrow('a.txt changed after the trial')
    expect([file('a.txt'), existsSync(join(ground.workspace, 'z.txt'))]).toEqual(['somebody else\n', false])
  })

  test('does not write through a link that has come meanwhile', async () => {
    const trial = await begin('mkdir way && echo x > way/plain.txt')
    await trial.end
    symlinkSync(ground.outside, join(ground.workspace, 'way'))
    await expect(trial.apply()).rejects.toThrow('way')
    expect(readFileSync(join(ground.outside, 'plain.txt'), 'utf8')).toBe('outside\n')
  })

  test('says that a file changed while it ran', async () => {
    const trial = await begin('read -r go; echo mine >> a.txt')
    writeFileSync(join(ground.workspace, 'a.txt'), 'somebody else\n')
    await table.write(trial.processId, 'go\r')
    expect((await trial.end).obstacle).toBe('a.txt changed while it ran.')
  })

  test('has neither network nor secrets nor the world outside', async () => {
    const { end } = await begin(
      `cat .env ~/.ssh/id_ed25519; echo x > ${ground.outside}/plain.txt; grep -c : /proc/net/dev`,
    )
    const { tail, files } = await end
    expect(tail).not.toContain('SECRET KEY')
    expect(tail.trim().endsWith('1')).toBe(true)
    expect(files).toEqual([])
    expect(readFileSync(join(ground.outside, 'plain.txt'), 'utf8')).toBe('outside\n')
  })

  test('wants a word where it changes what runs later by itself, and leaves a repository’s own data out', async () => {
    await ground.run('git init -q .')
    mkdirSync(join(ground.workspace, '.vscode'))
    const { end } = await begin('echo "{}" > .vscode/tasks.json; git add a.txt')
    const { files, more, typedWord } = await end
    expect({ files: files.map(({ path }) => path), typedWord }).toEqual({
      files: ['.vscode/tasks.json'],
      typedWord: 'config',
    })
    expect(more).toBeGreaterThan(0)
  })

  test('can be stopped', async () => {
    const trial = await begin('echo x > a.txt; sleep 300')
    await Promise.all([expect(trial.end).rejects.toThrow('It was stopped.'), trial.close()])
    expect(file('a.txt')).toBe('one\ntwo\n')
  })
})
