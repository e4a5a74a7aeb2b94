import { execFile, spawn } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { isProcessAlive } from '../process-alive'
import { createSandbox } from './sandbox'
import { createGround, type Ground, sandboxHere } from './test-ground'

const { available } = await sandboxHere()

let ground: Ground
beforeEach(() => {
  ground = createGround()
})
afterEach(() => ground.remove())

test('says why where bubblewrap is missing', async () => {
  const sandbox = createSandbox({ home: ground.home, own: [], hosts: () => [], path: '/nowhere', platform: 'linux' })
  expect(await sandbox.status()).toEqual({
    available: false,
    note: 'bubblewrap is not installed (the package is called bubblewrap).',
    canTry: false,
  })
  expect(await sandbox.enter({ id: 's', workspace: ground.workspace })).toBeNull()
})

test('says what a bubblewrap that does not work complains about', async () => {
  const bin = join(ground.root, 'bin')
  mkdirSync(bin)
  writeFileSync(join(bin, 'bwrap'), '#!/bin/sh\necho "bwrap: No permissions to create new namespace" >&2\nexit 1\n', {
    mode: 0o755,
  })
  const sandbox = createSandbox({ home: ground.home, own: [], hosts: () => [], path: bin, platform: 'linux' })
  const { available, note } = await sandbox.status()
  expect({ available, note }).toEqual({
    available: false,
    note: 'bubblewrap is installed, but this system does not let it work: bwrap: No permissions to create new namespace',
  })
})

test('the whole file system is no workspace for it', async () => {
  expect(await ground.sandbox.enter({ id: 's', workspace: '/' })).toBeNull()
})

const runningPrograms = async (): Promise<string> =>
  (await promisify(execFile)('ps', ['-eo', 'stat,args'], { maxBuffer: 10_000_000 })).stdout

/** The kernel ends what is left in a namespace in its own time. */
const staysAway = async (program: RegExp): Promise<boolean> => {
  for (let tries = 0; tries < 200; tries++) {
    if (!program.test(await runningPrograms())) return true
    await sleep(50)
  }
  return false
}

describe.skipIf(!available)('inside', () => {
  test('ordinary work goes on: files, pipes, exit codes, git', async () => {
    const { code, output } = await ground.run(
      'echo hello > new.txt && cat new.txt src/app.ts | wc -l && git init -q . && git -c user.name=a -c user.email=a@b add new.txt && git -c user.name=a -c user.email=a@b commit -qm one && git log --oneline | wc -l',
    )
    expect({ code, output: output.trim().split(/\s+/) }).toEqual({ code: 0, output: ['2', '1'] })
    expect(readFileSync(join(ground.workspace, 'new.txt'), 'utf8')).toBe('hello\n')
    expect((await ground.run('exit 7')).code).toBe(7)
  })

  test('temporary files stay between two commands and are no one else’s', async () => {
    await ground.run('echo kept > /tmp/between.txt')
    expect((await ground.run('cat /tmp/between.txt')).output).toBe('kept\n')
    expect(existsSync('/tmp/between.txt')).toBe(false)
  })

  test('what a command has shut away is cleared away in the end all the same', async () => {
    await ground.run('mkdir -p /tmp/shut/in && echo x > /tmp/shut/in/x && chmod 000 /tmp/shut/in /tmp/shut')
    await expect(ground.sandbox.close()).resolves.toBeUndefined()
  })

  test('nothing outside the workspace can be written, deleted or given other rights', async () => {
    for (const script of [
      `echo x > ${ground.outside}/plain.txt`,
      `rm ${ground.outside}/plain.txt`,
      `chmod 777 ${ground.outside}/plain.txt`,
      `mv src/app.ts ${ground.outside}/`,
      `echo x > ${ground.home}/.bashrc`,
      `ln -s ${ground.outside} way && echo x > way/plain.txt`,
      `ln ${ground.outside}/plain.txt hard && echo x > hard`,
      'touch /etc/deckhand-was-here',
    ]) {
      const { code } = await ground.run(script)
      expect([script, code]).not.toEqual([script, 0])
    }
    expect(readFileSync(join(ground.outside, 'plain.txt'), 'utf8')).toBe('outside\n')
    expect(statSync(join(ground.outside, 'plain.txt')).mode & 0o777).not.toBe(0o777)
    expect(existsSync(join(ground.home, '.bashrc'))).toBe(false)
    expect(existsSync('/etc/deckhand-was-here')).toBe(false)
  })

  test('secrets, agents’ configuration, the app’s own data and other people’s files cannot be read', async () => {
    const { output } = await ground.run(
      `cat ~/.ssh/id_ed25519 ~/.aws/credentials ~/.config/gh/hosts.yml ~/.claude/settings.json ~/.netrc ../../other/private.txt ${ground.dataDir}/deckhand.db .env; grep -r SECRET ~ .`,
    )
    expect(output).not.toContain('SECRET KEY')
    expect((await ground.run('cat ~/notes.txt')).output).toBe('an ordinary file')
  })

  test('a hidden file cannot be uncovered', async () => {
    const { output } = await ground.run(
      'umount .env; mv .env x; rm -f .env; cp .env y; ln .env z; cat .env x y z; cat /proc/1/root$PWD/.env /proc/self/root$PWD/.env',
    )
    expect(output).not.toContain('SECRET KEY')
    expect(readFileSync(join(ground.workspace, '.env'), 'utf8')).toBe('SECRET KEY')
  })

  test('hooks, repository configuration, editor and agent files stay as they are', async () => {
    await ground.run('git init -q .')
    ground.write('home/me/project/.vscode/tasks.json', '{}')
    ground.write('home/me/project/AGENTS.md', 'be kind')
    for (const script of [
      'echo evil > .git/hooks/pre-commit',
      'git config core.fsmonitor evil',
      'rm -rf .git/hooks && mkdir -p .git/hooks && echo evil > .git/hooks/pre-commit',
      'mv .git other && git init -q . && echo evil > .git/hooks/pre-commit',
      'echo evil > .vscode/tasks.json',
      'mv .vscode other',
      'echo evil > AGENTS.md',
    ]) {
      const { code } = await ground.run(script)
      expect([script, code]).not.toEqual([script, 0])
    }
    expect(existsSync(join(ground.workspace, '.git/hooks/pre-commit'))).toBe(false)
    expect(readFileSync(join(ground.workspace, '.git/config'), 'utf8')).not.toContain('evil')
    expect(readFileSync(join(ground.workspace, 'AGENTS.md'), 'utf8')).toBe('be kind')
  })

  test('a linked work tree takes commits; the hooks and the configuration it shares stay as they are', async () => {
    const main = join(ground.root, 'home/me/main')
    const git = (...args: string[]) =>
      promisify(execFile)('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', '-C', main, ...args])
    mkdirSync(main)
    await git('init', '-q', '.')
    await git('commit', '-qm', 'first', '--allow-empty')
    rmSync(ground.workspace, { recursive: true })
    await git('worktree', 'add', '-q', ground.workspace, '-b', 'side')
    const { code, output } = await ground.run(
      'echo x > new.txt && git add new.txt && git -c user.name=a -c user.email=a@b commit -qm second && git log --oneline | wc -l',
    )
    expect({ code, output: output.trim() }).toEqual({ code: 0, output: '2' })
    expect((await git('log', '--format=%s', 'side')).stdout).toBe('second\nfirst\n')
    for (const script of [
      `echo evil > ${main}/.git/hooks/pre-commit`,
      'git config core.fsmonitor evil',
      `echo evil > ${main}/.git/HEAD`,
      `echo ../../../evil > ${main}/.git/worktrees/project/commondir`,
      `rm ${main}/.git/worktrees/project/gitdir`,
      `mv ${main}/.git/worktrees/project ${main}/.git/worktrees/other`,
      'echo "gitdir: /nowhere" > .git',
      `echo x > ${main}/file`,
    ]) {
      const { code } = await ground.run(script)
      expect([script, code]).not.toEqual([script, 0])
    }
  })

  test('a file that only says that it belongs to a repository opens nothing', async () => {
    ground.write('home/me/main/.git/worktrees/project/commondir', '../..\n')
    ground.write('home/me/main/.git/worktrees/project/gitdir', '/some/other/.git\n')
    ground.write('home/me/main/.git/objects/a', '')
    ground.write('home/me/project/.git', `gitdir: ${ground.home}/main/.git/worktrees/project\n`)
    expect((await ground.run('echo x > ../main/.git/objects/b')).code).not.toBe(0)
    ground.write('home/me/project/.git', `gitdir: ${ground.outside}\n`)
    expect((await ground.run(`echo x > ${ground.outside}/b`)).code).not.toBe(0)
  })

  test('there is no network, not even to this machine', async () => {
    const server = createServer((socket) => socket.end('reached')).listen(0, '127.0.0.1')
    await new Promise((resolve) => server.once('listening', resolve))
    const { port } = server.address() as { port: number }
    const { output } = await ground.run(
      `bash -c 'exec 3<>/dev/tcp/127.0.0.1/${port} && cat <&3'; cat /proc/net/dev | grep -c :`,
    )
    expect(output).not.toContain('reached')
    // Nothing but a loopback of its own.
    expect(output.trim().split('\n').at(-1)).toBe('1')
    await new Promise((resolve) => server.close(resolve))
  })

  test('sockets of the session and of containers are not there', async () => {
    const { output } = await ground.run(
      'ls -A /run /tmp/.X11-unix 2>&1; echo "[$DBUS_SESSION_BUS_ADDRESS$SSH_AUTH_SOCK$DISPLAY$XDG_RUNTIME_DIR]"',
    )
    expect(output).not.toMatch(/dbus|docker|user|X0/)
    expect(output).toContain('[]')
  })

  test('processes outside can be neither seen nor stopped nor traced', async () => {
    const outside = spawn('sleep', ['300'])
    const { output } = await ground.run(
      `kill -9 ${outside.pid}; kill -9 -1; ls -d /proc/[0-9]* | wc -l; cat /proc/${outside.pid}/cmdline; strace -p ${outside.pid} 2>&1 | head -1`,
    )
    expect(output).not.toContain('sleep')
    expect(isProcessAlive(outside.pid ?? 0)).toBe(true)
    outside.kill('SIGKILL')
  })

  test('no rights beyond the user’s, no mounts, no further namespaces, no settings of the kernel', async () => {
    const { output } = await ground.run(
      [
        'grep -E "^Cap(Prm|Eff|Bnd)" /proc/self/status | tr -d "0\\t" ',
        'mount -t tmpfs none /mnt && echo MOUNTED',
        `mount --bind ${ground.outside} src && echo MOUNTED`,
        'mount -o remount,rw / && echo MOUNTED',
        'for file in /proc/sys/vm/swappiness /proc/sys/kernel/core_pattern; do cat $file > /tmp/v; cat /tmp/v > $file && echo WRITTEN; done',
        'echo h > /proc/sysrq-trigger && echo WRITTEN',
        'chroot / true && echo ROOTED',
        'mknod disk b 8 0 && cat disk && echo DISK',
        'grep NoNewPrivs /proc/self/status | tr -d "\\t"',
      ].join('; '),
    )
    expect(output).not.toMatch(/MOUNTED|WRITTEN|ROOTED|DISK/)
    expect(output).toMatch(/CapPrm:\nCapEff:\nCapBnd:\n/)
    expect(output).toContain('NoNewPrivs:1')
  })

  test('what it leaves running ends with it', async () => {
    const marker = `deckhand-${process.pid}-${Date.now()}`
    const inside = await ground.run(
      `(setsid bash -c 'exec -a ${marker} sleep 300' >/dev/null 2>&1 &); sleep 0.2; ps -eo args`,
    )
    expect(inside.output).toContain(marker)
    expect(await staysAway(new RegExp(`^[^Z]\\S* +${marker}`, 'm'))).toBe(true)
  })

  test('it ends with whoever started it, however that ends', async () => {
    const sandboxed = await ground.sandbox.enter({ id: 's', workspace: ground.workspace })
    const script = ['/bin/sh', '-c', 'echo $$ > started; sleep 301'] as const
    const argv = (await sandboxed?.place({ argv: script, cwd: ground.workspace, tty: true }))?.argv
    const starter = spawn(process.execPath, [
      '-e',
      `const { spawn } = require('node:child_process'); spawn(${JSON.stringify(argv?.[0])}, ${JSON.stringify(argv?.slice(1))}, { detached: true }); setInterval(() => {}, 1000)`,
    ])
    while (!existsSync(join(ground.workspace, 'started'))) await sleep(20)
    starter.kill('SIGKILL')
    expect(await staysAway(/^[^Z]\S* +sleep 301$/m)).toBe(true)
  })

  test('tells what a command ran into', async () => {
    const said = async (script: string) => (await ground.run(script)).blocked
    expect({
      write: await said(`touch ${ground.outside}/new`),
      redirect: await said(`echo x > ${ground.outside}/new`),
      network: await said(
        'getent hosts example.org || { echo "curl: (6) Could not resolve host: example.org" >&2; exit 6; }',
      ),
      hidden: await said('cat .env'),
      key: await said(`cat ${ground.home}/.netrc`),
      nothing: await said('cat missing.txt'),
      fine: await said('true'),
    }).toEqual({
      write: `It tried to write to ${ground.outside}/new`,
      redirect: `It tried to write to ${ground.outside}/new`,
      network: 'It tried to connect to example.org',
      hidden: 'It tried to read .env',
      key: 'It tried to read ~/.netrc',
      nothing: null,
      fine: null,
    })
  })
})
