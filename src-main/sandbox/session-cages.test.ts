import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openInProcessHost } from '../nodes/host-link'
import { createLocalNode, type LocalNode } from '../nodes/local'
import type { ProcessTable } from '../nodes/process-table'
import { openTestTable } from '../nodes/test-table'
import { type CageKind, createSessionCages, type SessionCages } from './session-cages'
import { createGround, type Ground, sandboxHere } from './test-ground'

const { available } = await sandboxHere()

/** Real bubblewrap, real terminals, and files that must not be seen or changed. */
describe.skipIf(!available)('the cages of a session', () => {
  let ground: Ground
  let node: LocalNode
  let table: ProcessTable
  let cages: SessionCages
  let problems: string[]
  let logs: string

  beforeEach(() => {
    ground = createGround()
    for (const [path, text] of Object.entries({
      'home/me/Documents/diary.txt': 'SECRET DIARY',
      'home/me/other-project/.env': 'SECRET KEY',
      'home/me/tools/bin/mytool': '#!/bin/sh\necho tool\n',
      'home/me/.config/deckhand/login-shell/x': 'snapshot',
      'home/me/project/node_modules/pkg/index.js': '',
    }))
      ground.write(path, text)
    node = createLocalNode({
      openHost: openInProcessHost,
      env: { ...process.env, HOME: ground.home, SHELL: '/bin/sh' },
    })
    logs = mkdtempSync(join(tmpdir(), 'deckhand-cages-'))
    table = openTestTable(logs, { nodes: [node] })
    problems = []
    cages = createSessionCages({
      sandbox: ground.sandbox,
      node,
      home: ground.home,
      own: [ground.dataDir],
      needed: [join(ground.dataDir, 'login-shell')],
      env: { PATH: `${ground.home}/tools/bin:/usr/bin` },
      onProblem: (problem) => problems.push(problem),
    })
  })
  afterEach(async () => {
    cages.close()
    await table.close()
    await node.close()
    await ground.remove()
    rmSync(logs, { recursive: true, force: true })
  })

  const session = () => ({ id: 's', workspace: ground.workspace })
  async function run(kind: CageKind, script: string, more: { tty?: null; opened?: string[] } = {}) {
    const opened = more.opened ?? []
    const inside = await cages.enter(session(), kind, { readable: opened, writable: opened })
    if (!inside) throw new Error(`No cage: ${problems.join()}`)
    const tty = more.tty === undefined
    const { env, ...placed } = await inside.place({ argv: ['/bin/sh', '-c', script], cwd: ground.workspace, tty })
    const { id } = await table.start({
      ...{ sessionId: 's', callId: null, command: script, cwd: ground.workspace, background: false, byUser: false },
      ...placed,
      env: { ...env, LC_ALL: 'C' },
      ...(!tty && { tty: null }),
    })
    await table.wait(id, 20_000)
    const { text: output } = await table.output(id, { maxChars: 100_000 })
    return { output, exitCode: table.get(id)?.exitCode, blocked: inside.explain(output)?.text ?? null }
  }

  test.each<[CageKind, 'terminal' | 'pipes']>([
    ['read', 'terminal'],
    ['read', 'pipes'],
    ['write', 'terminal'],
    ['write', 'pipes'],
  ])('shows the workspace and no secret: %s, %s', async (kind, how) => {
    const secrets = [
      '.env ../.ssh/id_ed25519 ../.aws/credentials ../.config/gh/hosts.yml ../.claude/settings.json ../.netrc',
      '../../other/private.txt ../.config/deckhand/deckhand.db ../Documents/diary.txt ../other-project/.env',
      '/etc/shadow /root/.ssh/id_rsa',
    ].join(' ')
    const script = `cat src/app.ts; cat ${secrets}; ls -a ../Documents ..; env | grep -c '^\\(SSH_AUTH_SOCK\\|DISPLAY\\|DBUS_SESSION_BUS_ADDRESS\\)='; true`
    const { output } = await run(kind, script, how === 'pipes' ? { tty: null } : {})
    expect(output).toContain('export const app = 1')
    expect(output).not.toContain('SECRET')
    expect(output).toContain('project')
  })

  test('goes on after a command that stops, ends or slows down everything that it can reach', async () => {
    expect((await run('read', 'kill -STOP -1; echo stopped')).output).toContain('stopped')
    expect((await run('read', 'echo after the stop')).output).toContain('after the stop')
    expect((await run('read', 'kill -9 -1; echo killed')).output).toContain('killed')
    expect((await run('read', 'echo after the end')).output).toContain('after the end')
    const others = 'for p in /proc/[0-9]*; do n=$(basename $p); [ $n = $$ ]'
    const harm = 'cat $p/environ $p/mem; ls -l $p/fd; prlimit --pid $n --nofile=3:3 --nproc=0:0 && echo changed'
    expect((await run('read', `${others} || { ${harm}; }; done`)).output).not.toMatch(/^changed/m)
    expect((await run('read', 'echo still there; ulimit -n 64 && ulimit -n')).output).toMatch(/still there\s+64/)
  })

  test('hides a secret that comes later, also where a command sets the time of the folder back', async () => {
    const script =
      'touch -r . /tmp/when; (while sleep 0.02; do touch -r /tmp/when . src; done) & sleep 1; echo begun; wait'
    const inside = await cages.enter(session(), 'write', { readable: [], writable: [] })
    const { env, ...placed } = (await inside?.place({
      argv: ['/bin/sh', '-c', script],
      cwd: ground.workspace,
      tty: true,
    })) ?? { argv: ['/bin/false'] as const }
    const { id } = await table.start({
      ...{ sessionId: 's', callId: null, command: script, cwd: ground.workspace, background: true, byUser: false },
      ...placed,
      env: { ...env },
    })
    await expect.poll(() => table.tail(id), { timeout: 20_000 }).toContain('begun')
    await run('read', 'true')
    for (const path of ['.env.production', 'src/.env']) ground.write(`home/me/project/${path}`, 'SECRET=later\n')
    await new Promise((resolve) => setTimeout(resolve, 200))
    const { output } = await run('read', 'cat .env.production src/.env; cat src/app.ts')
    await table.terminate(id, 100)
    expect(output).toContain('export const app')
    expect(output).not.toContain('SECRET')
  })

  test('lets nothing be written but temporary files that are its own', async () => {
    const marker = join(tmpdir(), `deckhand-marker-${process.pid}`)
    const script = `echo x > made; echo x > src/app.ts; rm -f src/app.ts; echo x > ${marker}; cat ${marker}; echo x > ../home-file; echo x > ${ground.outside}/plain.txt`
    const { output, blocked } = await run('read', script)
    expect(output).toMatch(/^x\r?$/m)
    expect({
      made: existsSync(join(ground.workspace, 'made')),
      app: readFileSync(join(ground.workspace, 'src/app.ts'), 'utf8'),
      marker: existsSync(marker),
      home: existsSync(join(ground.home, 'home-file')),
      outside: readFileSync(join(ground.outside, 'plain.txt'), 'utf8'),
      blocked,
    }).toEqual({
      made: false,
      app: 'export const app = 1\n',
      marker: false,
      home: false,
      outside: 'outside\n',
      blocked: expect.stringContaining('It tried to write'),
    })
    // The next command of the session finds what an earlier one left there.
    expect((await run('read', `cat ${marker}`)).output).toMatch(/^x/)
  })

  test('lets only the workspace be written, and not what runs by itself later', async () => {
    spawnSync('git', ['init', '-q', '.'], { cwd: ground.workspace })
    mkdirSync(join(ground.workspace, '.vscode'))
    writeFileSync(join(ground.workspace, '.vscode/tasks.json'), '{}')
    const script =
      'echo x > made; echo x > .git/hooks/pre-commit; git config a.b c; echo x > .vscode/tasks.json; mv .git away; echo x > ../home-file; git add made && git -c user.name=a -c user.email=a@b commit -qm one && git log --oneline'
    const { output } = await run('write', script)
    expect({
      made: existsSync(join(ground.workspace, 'made')),
      hook: existsSync(join(ground.workspace, '.git/hooks/pre-commit')),
      config: readFileSync(join(ground.workspace, '.git/config'), 'utf8').includes('b = c'),
      tasks: readFileSync(join(ground.workspace, '.vscode/tasks.json'), 'utf8'),
      home: existsSync(join(ground.home, 'home-file')),
    }).toEqual({ made: true, hook: false, config: false, tasks: '{}', home: false })
    expect(output).toMatch(/[0-9a-f]{7} .*one/)
  })

  test('has no network, not even to this machine', async () => {
    const server = createServer((socket) => socket.end('REACHED'))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const address = server.address()
    const port = typeof address === 'object' ? address?.port : 0
    const script = `perl -MIO::Socket::INET -e 'my $s = IO::Socket::INET->new("127.0.0.1:${port}") or die "refused: $!"; print <$s>'`
    expect((await run('read', script)).output).not.toContain('REACHED')
    server.close()
  })

  test('gives no more rights than the user has', async () => {
    const { output } = await run(
      'read',
      'grep -E "NoNewPrivs|CapEff|CapBnd|Seccomp:" /proc/self/status; ls /run; unshare -U true',
    )
    expect(output).toMatch(/CapEff:\s+0000000000000000/)
    expect(output).toMatch(/NoNewPrivs:\s+1/)
    expect(output).not.toMatch(/docker|dbus|user/)
  })

  test('hides a secret that was added or replaced after it was made', async () => {
    await run('read', 'true')
    ground.write('home/me/project/sub/.env', 'SECRET LATER')
    writeFileSync(join(ground.workspace, '.env.new'), 'SECRET REPLACED')
    renameSync(join(ground.workspace, '.env.new'), join(ground.workspace, '.env'))
    ground.write('home/me/.kube/config', 'SECRET CLUSTER')
    const { output } = await run('read', 'cat .env sub/.env ../.kube/config; cat src/app.ts')
    expect(output).toContain('export const app')
    expect(output).not.toContain('SECRET')
  })

  test('shows programs that the environment names, and folders that the user opened', async () => {
    mkdirSync(join(ground.home, 'opened'))
    writeFileSync(join(ground.home, 'opened/file'), 'opened\n')
    const script = 'cat ../tools/bin/mytool ../opened/file; echo x > ../opened/made'
    expect((await run('read', script, { opened: [join(ground.home, 'opened')] })).output).toMatch(/echo tool\s+opened/)
    await run('write', script, { opened: [join(ground.home, 'opened')] })
    expect(existsSync(join(ground.home, 'opened/made'))).toBe(true)
  })

  test('of the home folder it shows what programs need, and nothing else', async () => {
    for (const [path, text] of Object.entries({
      'home/me/.bashrc': 'NEEDED rc',
      'home/me/.gitconfig': '[user]\n\tname = NEEDED\n',
      'home/me/.cargo/config.toml': 'NEEDED cargo',
      'home/me/.local/share/uv/tools': 'NEEDED uv',
      'home/me/.local/share/notes-app/diary': 'PRIVATE',
      'home/me/.config/chat/log': 'PRIVATE',
      'home/me/.thunderbird/mail': 'PRIVATE',
      'home/me/.cache/thumbnails/x': 'PRIVATE',
      'home/me/.plan': 'PRIVATE',
    }))
      ground.write(path, text)
    const script =
      'cd ..; cat .bashrc .cargo/config.toml .local/share/uv/tools; git config --global user.name; cat .local/share/notes-app/diary .config/chat/log .thunderbird/mail .cache/thumbnails/x .plan; find . -type f | xargs grep -l PRIVATE'
    const { output } = await run('read', script)
    expect(output.match(/NEEDED/g)).toHaveLength(4)
    expect(output).not.toContain('PRIVATE')
    // The user is asked about what is there outside, and not about what is missing anyway.
    expect((await run('read', `cat ${ground.home}/.plan`)).blocked).toBe('It tried to read ~/.plan')
    expect((await run('read', `cat ${ground.home}/.nothing ${ground.workspace}/nothing`)).blocked).toBeNull()
  })

  test('is kept between commands, and made anew when it was killed', async () => {
    const starter = async () => (await run('read', 'readlink /proc/self/ns/mnt')).output
    const first = await starter()
    expect(await starter()).toBe(first)
    // Everything in it but the starter, and then the cage itself, from outside.
    await run('read', 'kill -9 -1')
    expect(await starter()).toBe(first)
  })

  test('says once why there is none', async () => {
    const none = createGround({ path: '/nowhere' })
    const without = createSessionCages({
      ...{ sandbox: none.sandbox, node, home: none.home, own: [], needed: [] },
      onProblem: (problem) => problems.push(problem),
    })
    const there = { id: 's', workspace: none.workspace }
    expect(await without.available(there)).toBe(false)
    expect(await without.enter(there, 'read', { readable: [], writable: [] })).toBeNull()
    expect(problems).toEqual(['bubblewrap is not installed (the package is called bubblewrap).'])
    await none.remove()
  })
})
