/** The command line as a user types it: bin/deckhand.mjs in a process of its own, against the scripted model. */
import { type ChildProcessWithoutNullStreams, spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { test as base, expect } from '@playwright/test'
import manifest from '../package.json' with { type: 'json' }
import { calls, gate, type ScriptedModel, says, scriptedModel } from './scripted-model'

const checkout = dirname(dirname(fileURLToPath(import.meta.url)))

interface Outcome {
  code: number | null
  stdout: string
  stderr: string
}

interface CommandLine {
  workspace: string
  data: string
  /** What names the scripted model. */
  provider: string[]
  start(words: string[]): ChildProcessWithoutNullStreams
  run(words: string[], input?: string): Promise<Outcome>
  /** `deckhand run` with the scripted model. */
  ask(options: string[], prompt?: string): Promise<Outcome>
  /** The same on a terminal, where `keys` are pressed once it asks. */
  onTerminal(options: string[], keys: string): Promise<Pick<Outcome, 'code' | 'stdout'>>
  /** `deckhand call` with a line for each call; answers with the parsed lines. */
  // biome-ignore lint/suspicious/noExplicitAny: the tests look at single fields of what was printed
  call(options: string[], ...lines: unknown[]): Promise<any[]>
}

const test = base.extend<{ model: ScriptedModel; cli: CommandLine }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures from this pattern
  model: async ({}, use) => {
    const model = await scriptedModel()
    await use(model)
    await model.close()
  },
  cli: async ({ model }, use) => {
    const root = mkdtempSync(join(tmpdir(), 'deckhand-cli-'))
    const folder = (name: string) => {
      mkdirSync(join(root, name))
      return join(root, name)
    }
    const [workspace, data, home] = [folder('workspace'), folder('data'), folder('home')]
    const env = { ...process.env, HOME: home, SHELL: '/bin/sh', DECKHAND_API_KEY: 'key-of-the-test' }
    const argv = (words: string[]) => [process.execPath, join(checkout, 'bin/deckhand.mjs'), ...words]
    const start = (words: string[]) => {
      const [program = '', ...rest] = argv(words)
      return spawn(program, rest, { cwd: workspace, env })
    }
    const run = (words: string[], input = ''): Promise<Outcome> => {
      const child = start(words)
      child.stdin.end(input)
      return finished(child)
    }
    const provider = ['--provider', 'openai', '--base-url', model.baseUrl, '--model', 'scripted', '--data', data]
    await use({
      workspace,
      data,
      start,
      run,
      provider,
      ask: (options, prompt = 'Go') => run(['run', ...provider, ...options, prompt]),
      onTerminal: async (options, keys) => {
        const words = argv(['run', ...provider, ...options, 'Go'])
        const child = spawn('python3', ['-c', pressKeys, JSON.stringify(words), keys], { cwd: workspace, env })
        return finished(child)
      },
      call: async (options, ...lines) => {
        const text = lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n')
        const { stdout } = await run(['call', '--data', data, ...options], `${text}\n`)
        return stdout
          .trim()
          .split('\n')
          .map((line) => JSON.parse(line))
      },
    })
    rmSync(root, { recursive: true, force: true, maxRetries: 5 })
  },
})

/** Runs a command on a terminal of its own and presses keys when it asks. Prints what stood there. */
const pressKeys = `import json, os, pty, sys
command, keys = json.loads(sys.argv[1]), sys.argv[2]
pid, fd = pty.fork()
if pid == 0:
    os.execvp(command[0], command)
seen, pressed = b'', False
while True:
    try: data = os.read(fd, 4096)
    except OSError: break
    if not data: break
    seen += data
    if b'[y/N] ' in seen and not pressed:
        os.write(fd, keys.encode()); pressed = True
sys.stdout.write(seen.decode(errors='replace'))
sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))`

function finished(child: ChildProcessWithoutNullStreams): Promise<Outcome> {
  let stdout = ''
  let stderr = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text
  })
  return new Promise((resolve) => child.on('close', (code) => resolve({ code, stdout, stderr })))
}

test('--plan only reads, prints the plan and leaves it open for the window', async ({ cli, model }) => {
  writeFileSync(join(cli.workspace, 'a.txt'), 'one\n')
  const plan = '## Two steps\n\n1. Write b.txt\n2. Check it'
  const turns = () =>
    model.push(
      calls('Write', { path: 'b.txt', content: 'no' }),
      calls('Read', { path: 'a.txt' }),
      calls('SubmitPlan', { plan }),
    )
  turns()
  const { code, stdout, stderr } = await cli.ask(['--plan'], 'Make b.txt')
  expect([code, stdout]).toEqual([0, `${plan}\n`])
  expect(stderr).toContain('Nothing can be changed until the user approves a plan.')
  expect(stderr).toContain('The plan waits for your approval in the window')
  expect(existsSync(join(cli.workspace, 'b.txt'))).toBe(false)
  const again = await cli.ask(['--continue'], 'Go on')
  expect([again.code, again.stderr]).toEqual([1, expect.stringContaining('is waiting for your answer')])

  turns()
  const json = await cli.ask(['--plan', '--json'], 'Make b.txt')
  const last = JSON.parse(json.stdout.trim().split('\n').at(-1) ?? '')
  expect([json.code, last]).toEqual([0, expect.objectContaining({ type: 'turn-end', reason: 'done', text: plan })])
  const refused = await cli.ask(['--plan', '--approve', 'all'], 'Make b.txt')
  expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('leave out --approve')])
})

test('help is there for each command, and a slip is met with the right word', async ({ cli }) => {
  const overview = await cli.run(['--help'])
  expect([overview.code, overview.stdout]).toEqual([0, expect.stringContaining('deckhand COMMAND')])
  expect((await cli.run(['--version'])).stdout).toBe(`${manifest.version}\n`)
  for (const command of ['run', 'undo', 'tools', 'call']) {
    const help = await cli.run([command, '--help'])
    expect([help.code, help.stdout]).toEqual([0, expect.stringContaining(`Usage: deckhand ${command}`)])
  }
  const slips: [string[], string][] = [
    [['run', '--worksapce', '.', 'hi'], 'did you mean --workspace?'],
    [['runn', 'hi'], 'did you mean run?'],
    [['run', '--approve', 'al', 'hi'], '--approve is one of'],
    [['run', '--max-iterations', 'many', 'hi'], 'a whole number'],
    [['run'], 'needs a prompt'],
    [['run', '--workspace', '/no/such/folder', 'hi'], 'folder not found'],
    [['run', '--session', 'nobody', '--data', cli.data, 'hi'], 'no session nobody'],
    [['run', '--continue', '--data', cli.data, 'hi'], 'no earlier session'],
    [['run', '--data', '', 'hi'], '--data needs a value'],
    [['run', '--model', 'gide', '--data', cli.data, 'hi'], 'no model named gide; did you mean guide?'],
    [['run', '--base-url', 'ftp://there', '--model', 'x', '--data', cli.data, 'hi'], 'starts with http'],
    [['tools', '--toolset', 'decchand'], 'did you mean deckhand?'],
  ]
  for (const [words, message] of slips) {
    const slip = await cli.run(words)
    expect([slip.code, slip.stdout, slip.stderr]).toEqual([2, '', expect.stringContaining(message)])
  }
})

test('run prints the answer, and with --json every event up to the one that says how it ended', async ({
  cli,
  model,
}) => {
  model.push(says('Aye aye.'))
  const plain = await cli.ask([])
  expect(plain).toEqual({ code: 0, stdout: 'Aye aye.\n', stderr: '' })
  expect(model.requests[0]?.headers.authorization).toBe('Bearer key-of-the-test')

  model.push([{ text: 'Looking.' }, ...calls('Glob', { pattern: '*' })], says('Nothing there.'))
  expect(await cli.ask([])).toEqual({ code: 0, stdout: 'Looking.\nNothing there.\n', stderr: '▸ Glob *\n' })

  model.push(calls('Bash', { command: 'echo from the shell' }), says('It printed a line.'))
  const json = await cli.ask(['--json', '--approve', 'all'])
  const events = json.stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(events.at(-1)).toMatchObject({
    type: 'turn-end',
    reason: 'done',
    text: 'It printed a line.',
    usage: { inputTokens: expect.any(Number), outputTokens: expect.any(Number) },
  })
  expect(events.map((event) => event.type)).toEqual(
    expect.arrayContaining(['message', 'delta', 'call', 'process', 'session']),
  )
  expect(json.stdout).not.toContain('key-of-the-test')
  expect(JSON.stringify(model.requests.at(-1)?.body.messages.at(-1))).toContain('from the shell')
})

test('what a run changed is listed, shown and taken back', async ({ cli, model }) => {
  const file = join(cli.workspace, 'notes.txt')
  writeFileSync(file, 'one\n')
  model.push(calls('Bash', { command: 'echo two >> notes.txt; echo new > new.txt' }), says('Done.'))
  expect((await cli.ask(['--approve', 'all'])).code).toBe(0)
  const here = ['undo', '--data', cli.data]
  const listed = await cli.run(here)
  expect([listed.code, listed.stdout]).toEqual([0, expect.stringMatching(/^ {2}1 {2}\+1 ~1 -0 +echo two/)])
  const shown = await cli.run([...here, '1'])
  expect([shown.code, shown.stdout]).toEqual([1, expect.stringContaining('-two')])
  expect(readFileSync(file, 'utf8')).toBe('one\ntwo\n')
  expect(await cli.run([...here, '1', '--yes'])).toMatchObject({ code: 0, stdout: expect.stringContaining('2 undone') })
  expect([readFileSync(file, 'utf8'), existsSync(join(cli.workspace, 'new.txt'))]).toEqual(['one\n', false])
  expect((await cli.run([...here, '1', '--redo', '--file', 'notes.txt', '--yes'])).code).toBe(0)
  expect(readFileSync(file, 'utf8')).toBe('one\ntwo\n')
})

test('another agent answers with the model of the run, and one that is not there is not made', async ({
  cli,
  model,
}) => {
  mkdirSync(join(cli.data, 'agents/helper'), { recursive: true })
  const message = { message: 'What do you think?', waitSeconds: 60 }
  model.push(calls('gsv__SessionSend', { ...message, sessionKey: 'agent:helper:main' }))
  model.push(says('I think so.'))
  model.push(calls('gsv__SessionSend', { ...message, sessionKey: 'agent:helpr:main' }))
  model.push(says('Done'))
  const { code, stdout } = await cli.ask(['--json', '--toolset', 'gsv', '--approve', 'all'])
  expect([code, stdout]).toEqual([0, expect.stringContaining('I think so.')])
  expect(stdout).not.toContain('offline guide')
  expect(stdout).toContain('There is no agent helpr. Did you mean helper?')
  expect(existsSync(join(cli.data, 'agents/helpr'))).toBe(false)
})

test('exit codes tell what happened', async ({ cli, model }) => {
  model.push([{ status: 401, body: { error: { message: 'Incorrect API key: key-of-the-test' } } }])
  const refused = await cli.ask([])
  expect([refused.code, refused.stderr]).toEqual([1, expect.stringMatching(/key/i)])
  expect(refused.stderr).not.toContain('key-of-the-test')

  model.push(calls('Time'), calls('Time', { format: 'iso' }), calls('Time', { format: 'date' }))
  const limited = await cli.ask(['--max-iterations', '2'])
  expect([limited.code, limited.stderr]).toEqual([3, expect.stringContaining('step limit')])
})

test('a run ends before it costs more than it may, and what was used is printed', async ({ cli, model }) => {
  model.push([...says('Hello.'), { usage: { input: 3000, output: 500, cached: 2000 } }])
  const free = await cli.ask(['--max-cost', '1', '--json'])
  expect(free.code).toBe(0)
  expect(free.stdout).toContain('"cost":null')
  // The price of the model is not known: a cent stands for 2,000 tokens.
  const capped = await cli.ask(['--max-cost', '0.01', '--json'])
  const end = JSON.parse(capped.stdout.trim().split('\n').at(-1) ?? '')
  expect([capped.code, end.reason, end.error.kind]).toEqual([3, 'cap', 'cap'])
  expect(end.error.message).toContain('the cap of 2,000 tokens for this run')
  const tokens = await cli.ask(['--max-tokens', '500'])
  expect([tokens.code, tokens.stderr]).toEqual([3, expect.stringContaining('the cap of 500 tokens for this run')])
  expect(model.requests).toHaveLength(1)
  expect((await cli.ask(['--max-cost', 'much'])).code).toBe(2)

  // On a terminal it asks.
  model.push([...says('Hello again.'), { usage: { input: 0, output: 0 } }])
  const allowed = await cli.onTerminal(['--max-tokens', '500'], 'y\r')
  expect([allowed.code, allowed.stdout]).toEqual([0, expect.stringContaining('Continue? [y/N]')])
  expect((await cli.onTerminal(['--max-tokens', '500'], 'n\r')).code).toBe(3)

  const plain = await cli.run(['usage', '--data', cli.data, '--by', 'model'])
  expect(plain.stdout).toMatch(/^ +2 +3000 +2000 +0 +500 +unknown +\S+\/scripted$/m)
  const json = JSON.parse((await cli.run(['usage', '--data', cli.data, '--json'])).stdout)
  expect(json.total).toMatchObject({ requests: 2, cachedTokens: 2000, cost: null, unpricedTokens: 3500 })
  expect(json.sessions).toHaveLength(2)
  const never = await cli.run(['usage', '--data', cli.data, '--from', '2020-01-01', '--to', '2020-01-31'])
  expect(never.stdout).toBe('Nothing was used from 2020-01-01 to 2020-01-31.\n')
  expect((await cli.run(['usage', '--data', cli.data, '--from', 'yesterday'])).code).toBe(2)
})

test('a new data folder is for its owner only', async ({ cli }) => {
  const data = join(cli.data, 'new')
  expect((await cli.run(['run', '--data', data, '--model', 'guide', 'run `ls`'])).code).toBe(0)
  const modes = [data, join(data, 'processes'), join(data, 'logs')].map((path) => statSync(path).mode & 0o777)
  expect(modes).toEqual([0o700, 0o700, 0o700])
})

test('what is wrong with the data folder is said in words, and what was kept aside is told', async ({ cli }) => {
  const file = join(cli.workspace, 'a-file')
  writeFileSync(file, '')
  const refused = await cli.run(['run', '--data', file, 'hi'])
  expect([refused.code, refused.stderr]).toEqual([
    1,
    `deckhand: The data folder ${file} cannot be used: it is a file.\n`,
  ])

  writeFileSync(join(cli.data, 'settings.json'), '{"theme":')
  const told = await cli.run(['run', '--data', cli.data, '--model', 'guide', 'hi'])
  expect([told.code, told.stderr]).toEqual([0, expect.stringContaining('The settings file could not be read.')])
})

test('a turn ends quietly when nobody reads its output any more', async ({ cli, model }) => {
  model.push(calls('Bash', { command: 'echo $$ > pid; sleep 600' }))
  const child = cli.start(['run', ...cli.provider, '--approve', 'all', '--json', 'Go'])
  child.stdin.end()
  const outcome = finished(child)
  await expect.poll(() => existsSync(join(cli.workspace, 'pid')), { timeout: 30_000 }).toBe(true)
  child.stdout.destroy()
  child.kill('SIGTERM')
  expect(await outcome).toMatchObject({ code: 141, stderr: '' })
})

test('without a terminal, what would ask is refused and the reason is told to the model', async ({ cli, model }) => {
  model.push(calls('Bash', { command: 'touch made-without-asking' }), says('So be it.'))
  const { code } = await cli.ask(['--approve', 'ask'])
  expect(code).toBe(0)
  expect(existsSync(join(cli.workspace, 'made-without-asking'))).toBe(false)
  expect(JSON.stringify(model.requests[1]?.body.messages.at(-1))).toContain('nobody is there to ask')
})

test('on a terminal it asks, and the answer counts', async ({ cli, model }) => {
  const asked = async (name: string, keys: string) => {
    model.push(calls('Bash', { command: `touch ${name}` }), says('Fine.'))
    const outcome = await cli.onTerminal(['--approve', 'ask'], keys)
    expect(outcome.stdout).toContain(`Run: touch ${name} [y/N]`)
    return { ...outcome, made: existsSync(join(cli.workspace, name)), left: model.left }
  }
  expect(await asked('allowed', 'y\n')).toMatchObject({ code: 0, made: true, left: 0 })
  expect(await asked('denied', 'n\n')).toMatchObject({ code: 0, made: false, left: 0 })
  const ctrlD = await asked('left', '\u0004')
  expect(ctrlD).toMatchObject({ code: 0, made: false, left: 0 })
  const ctrlC = await asked('interrupted', '\u0003')
  expect(ctrlC).toMatchObject({ code: 130, made: false, left: 1 })
  for (const { stdout } of [ctrlD, ctrlC]) expect(stdout).not.toContain('Error')
})

test('Ctrl-C stops the turn and its command, and says so by its exit code', async ({ cli, model }) => {
  const started = gate()
  model.push(calls('Bash', { command: 'echo $$ > pid; sleep 600' }), [{ gate: started }, { text: 'never' }])
  const child = cli.start(['run', ...cli.provider, '--approve', 'all', 'Go'])
  const outcome = finished(child)
  await expect.poll(() => existsSync(join(cli.workspace, 'pid')), { timeout: 30_000 }).toBe(true)
  child.kill('SIGINT')
  expect((await outcome).code).toBe(130)
})

test('a session goes on with --continue and --session', async ({ cli, model }) => {
  model.push(says('Noted.'), says('You said: seven.'), says('Still seven.'))
  const first = await cli.ask(['--json'], 'Remember the number seven')
  const id = JSON.parse(first.stdout.split('\n')[0] ?? '{}').message.sessionId
  await cli.ask(['--continue'], 'Which number?')
  expect(JSON.stringify(model.requests[1]?.body.messages)).toContain('Remember the number seven')
  const unnamed = await cli.run(['run', '--data', cli.data, '--continue', 'Which number?'])
  expect([unnamed.code, unnamed.stderr]).toEqual([2, expect.stringContaining('pass --base-url and --model again')])
  await cli.ask(['--session', id], 'And now?')
  expect(model.requests[2]?.body.messages.filter((message: { role: string }) => message.role === 'user')).toHaveLength(
    3,
  )
})

test('tools prints the definitions exactly as a request carries them', async ({ cli, model }) => {
  const { code, stdout } = await cli.run(['tools', '--json'])
  expect(code).toBe(0)
  model.push(says('Hello.'))
  await cli.ask([])
  const sent = model.requests[0]?.body.tools.map((tool: { function: object }) => tool.function)
  expect(JSON.parse(stdout)).toEqual(sent)
})

test('call makes calls in order, through the same gate, and answers each with a line', async ({ cli }) => {
  writeFileSync(join(cli.workspace, 'notes.txt'), 'one\ntwo\n')
  const answers = await cli.call(
    ['--approve', 'safe'],
    { id: 1, tool: 'Read', args: { path: 'notes.txt' } },
    { id: 'two', tool: 'Read', args: '{"path":"notes.txt","offset":1}' },
    { id: 3, tool: 'Read', args: '{"path":' },
    { id: 4, tool: 'Red', args: {} },
    { id: 5, tool: 'Bash', args: { command: 'touch made' } },
    'not json',
    { id: 'odd', name: 'Read' },
    '7',
    { id: 6, tool: 'constructor', args: {} },
  )
  expect(answers.map(({ id, isError, error }) => [id, isError, error?.kind ?? null])).toEqual([
    [1, false, null],
    ['two', false, null],
    [3, true, 'InvalidArgs'],
    [4, true, 'NotFound'],
    [5, true, 'PermissionDenied'],
    [null, true, 'InvalidArgs'],
    ['odd', true, 'InvalidArgs'],
    [null, true, 'InvalidArgs'],
    [6, true, 'NotFound'],
  ])
  expect(JSON.parse(answers[0].content[0].text)).toMatchObject({ content: '1\tone\n2\ttwo', lines: 2 })
  expect(answers[4].error.message).toContain('nobody is there to ask')
  expect(answers[5].error.message).toMatch(/^Line 6 is not JSON: .*not json/)
  expect(answers[6].error.message).toMatch(/^Line 7 is not a call: .*tool: .*name/)
  expect(answers[7].error.message).toMatch(/^Line 8 is not a call: .*expected object/)
  expect(existsSync(join(cli.workspace, 'made'))).toBe(false)

  const [done] = await cli.call(['--approve', 'all'], {
    id: 1,
    tool: 'Bash',
    args: { command: 'echo out; echo err >&2; exit 3' },
  })
  expect(JSON.parse(done.content[0].text)).toMatchObject({ status: 'failed', exitCode: 3, output: 'out\nerr\n' })
})

test('mcp adds, tries, lists, trusts and removes servers, and their tools can be called', async ({ cli }) => {
  const { data, workspace } = cli
  const everything = join(checkout, 'node_modules/@modelcontextprotocol/server-everything/dist/index.js')
  const add = ['mcp', 'add', 'every', '--data', data, '--', process.execPath, everything, 'stdio']
  expect(await cli.run(add)).toMatchObject({ code: 0, stdout: expect.stringContaining('every__echo') })
  expect(await cli.run(add)).toMatchObject({ code: 2, stderr: expect.stringContaining('already') })
  const secret = ['mcp', 'add', 'other', '--data', data, '--env', 'API_TOKEN=1', '--', 'true']
  expect(await cli.run(secret)).toMatchObject({ code: 2, stderr: expect.stringContaining('keychain') })

  const listed = JSON.parse((await cli.run(['mcp', 'list', '--json', '--data', data])).stdout)
  expect(listed).toMatchObject([{ id: 'every', state: 'ready', transport: 'stdio' }])
  const offered = await cli.run(['tools', '--data', data, '--toolset', 'gsv'])
  expect(offered.stdout).toContain('every__echo')
  const [echoed] = await cli.call(['--approve', 'all'], { id: 1, tool: 'every__echo', args: { message: 'ahoy' } })
  expect(JSON.stringify(echoed)).toContain('ahoy')

  writeFileSync(join(workspace, '.mcp.json'), JSON.stringify({ mcpServers: { notes: { command: 'false' } } }))
  const asked = await cli.run(['mcp', 'trust', '--data', data])
  expect(asked).toMatchObject({ code: 1, stdout: expect.stringContaining('notes: false') })
  expect(await cli.run(['mcp', 'trust', '--yes', '--data', data])).toMatchObject({ code: 0 })
  const broken = await cli.run(['mcp', 'list', '--data', data])
  expect(broken).toMatchObject({ code: 1, stderr: expect.stringContaining('The MCP server notes cannot be used.') })

  expect(await cli.run(['mcp', 'remove', 'every', '--data', data])).toMatchObject({ code: 0 })
  expect(await cli.run(['mcp', 'remove', 'every', '--data', data])).toMatchObject({ code: 2 })
})

test('with --sandbox ordinary commands need no consent, and what is blocked is told', async ({ cli, model }) => {
  const isConfinable = spawnSync('bwrap', ['--unshare-user', '--ro-bind', '/', '/', 'true']).status === 0
  test.skip(!isConfinable, 'bubblewrap is missing or not permitted here')
  writeFileSync(join(cli.workspace, 'go.sh'), 'echo x > /usr/deckhand-kept\n')
  const [made, blocked, wanted] = await cli.call(
    ['--sandbox'],
    { id: 1, tool: 'Bash', args: { command: 'echo made > made.txt; grep NoNewPrivs /proc/self/status' } },
    { id: 2, tool: 'Bash', args: { command: 'sh ./go.sh' } },
    { id: 3, tool: 'Bash', args: { command: 'curl https://example.org' } },
  )
  expect(JSON.parse(made.content[0].text).output).toMatch(/NoNewPrivs:\s*1/)
  expect(readFileSync(join(cli.workspace, 'made.txt'), 'utf8')).toBe('made\n')
  expect(blocked.content.at(-1).text).toContain('[sandbox] It tried to write to /usr/deckhand-kept')
  expect(wanted.error).toMatchObject({ kind: 'PermissionDenied' })

  model.push(calls('Bash', { command: 'echo ran > ran.txt' }), says('Done.'))
  expect(await cli.ask(['--sandbox'])).toMatchObject({ code: 0, stdout: 'Done.\n' })
  expect(readFileSync(join(cli.workspace, 'ran.txt'), 'utf8')).toBe('ran\n')
})

test('--worktree works on a branch and in a folder of its own, and leaves the user’s as it is', async ({
  cli,
  model,
}) => {
  const { workspace } = cli
  const git = (...words: string[]): string => {
    const identity = ['-c', 'user.name=Test', '-c', 'user.email=test@example.org']
    const { status, stdout, stderr } = spawnSync('git', [...identity, ...words], { cwd: workspace, encoding: 'utf8' })
    expect(status, stderr).toBe(0)
    return stdout
  }
  const refused = await cli.ask(['--worktree'])
  expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('A work tree needs a git repository') })
  git('init', '-q', '-b', 'main')
  writeFileSync(join(workspace, 'a.txt'), 'one\n')
  git('add', '.')
  git('commit', '-qm', 'first')
  model.push(calls('Bash', { command: 'echo $PORT > a.txt; git branch --show-current' }), says('Done.'))
  const { code, stdout, stderr } = await cli.ask(['--worktree', '--approve', 'all'], 'Change it')
  expect({ code, stdout }).toEqual({ code: 0, stdout: 'Done.\n' })
  const [, branch = '', folder = '', port] =
    /Working on (deckhand\/\S+) \(from main\) in (\S+), with PORT=(\d+)\./.exec(stderr) ?? []
  expect(readFileSync(join(folder, 'a.txt'), 'utf8')).toBe(`${port}\n`)
  expect(JSON.stringify(model.requests.at(-1)?.body.messages)).toContain(branch)
  expect(readFileSync(join(workspace, 'a.txt'), 'utf8')).toBe('one\n')
  expect(git('branch', '--show-current')).toBe('main\n')
  expect(git('worktree', 'list')).toContain(folder)

  // A name of one's own; and what does not go with it is said before anything is made.
  model.push(says('Named.'))
  const named = await cli.ask(['--worktree=Fix the login', '--approve', 'all'])
  expect(named).toMatchObject({
    code: 0,
    stderr: expect.stringContaining('Working on deckhand/fix-the-login (from main)'),
  })
  const both = await cli.ask(['--worktree', '--continue'])
  expect(both).toMatchObject({ code: 2, stderr: expect.stringContaining('it does not go with --continue') })
  expect(git('branch', '--list', 'deckhand/*').trim().split('\n')).toHaveLength(2)
})
