import { describe, expect, it } from 'vitest'
import type { ToolDefinition } from '../tools/tool'
import { createGuide } from './guide'
import { readIntent } from './guide-intent'
import type { ModelMessage } from './model'
import { ask, collect } from './test-server'

const tools: ToolDefinition[] = [
  'Bash',
  'Process',
  'Read',
  'Write',
  'Edit',
  'Delete',
  'Glob',
  'Grep',
  'List',
  'Time',
].map((name) => ({
  name,
  description: name,
  parameters: { type: 'object' },
}))

const text = (words: string) => [{ type: 'text' as const, text: words }]
const user = (words: string): ModelMessage => ({ role: 'user', content: text(words) })

const hear = async (messages: ModelMessage[], over = {}) => {
  const events = await collect(createGuide().stream(ask({ messages, tools, ...over })))
  return {
    text: events.map((event) => (event.type === 'text' ? event.text : '')).join(''),
    calls: events.flatMap((event) => (event.type === 'call' ? [event.call] : [])),
    last: events.at(-1),
  }
}

const afterCall = (name: string, args: object, result: unknown, isError = false): ModelMessage[] => [
  user('do it'),
  { role: 'assistant', text: '', calls: [{ id: 'c', name, arguments: JSON.stringify(args) }] },
  {
    role: 'tool',
    callId: 'c',
    name,
    content: text(typeof result === 'string' ? result : JSON.stringify(result)),
    isError,
  },
]

describe('requests', () => {
  const bash = (command: string, background = false) => ['Bash', { command, ...(background && { background: true }) }]
  const table: [string, unknown[]][] = [
    ['run `ls -la`', bash('ls -la')],
    ['Run npm test', bash('npm test')],
    ['Please run npm test.', bash('npm test')],
    ['could you please execute "echo hi"?', bash('echo hi')],
    ['Hey Deckhand, can you run `git status` please', bash('git status')],
    ['run git add .', bash('git add .')],
    ['$ uname -a', bash('uname -a')],
    ['`pwd`', bash('pwd')],
    ['```sh\necho one\necho two\n```', bash('echo one\necho two')],
    ['start `npm run dev` in the background', bash('npm run dev', true)],
    ['start npm run dev', bash('npm run dev', true)],
    ['run `sleep 60` in background', bash('sleep 60', true)],
    ['run npm run approve', bash('npm run approve')],
    ['read README.md', ['Read', { path: 'README.md' }]],
    ['show me the file `my notes.txt`', ['Read', { path: 'my notes.txt' }]],
    ['what is in package.json?', ['Read', { path: 'package.json' }]],
    ['read src/app.ts lines 10-20', ['Read', { path: 'src/app.ts', offset: 9, limit: 11 }]],
    ['find TODO in src', ['Grep', { pattern: 'TODO', path: 'src' }]],
    ['find TODO in src.', ['Grep', { pattern: 'TODO', path: 'src' }]],
    ['find TODO in .', ['Grep', { pattern: 'TODO', path: '.' }]],
    ['find TODO in ..?', ['Grep', { pattern: 'TODO', path: '..' }]],
    ['search for fixme in src/..', ['Grep', { pattern: 'fixme', path: 'src/..' }]],
    ['list .', ['List', { path: '.' }]],
    ['search for "foo(bar)"', ['Grep', { pattern: 'foo\\(bar\\)' }]],
    ['where is runTurn defined?', ['Grep', { pattern: 'runTurn' }]],
    ['find *.ts in src', ['Glob', { pattern: '**/*.ts', path: 'src' }]],
    ['find all files named config', ['Glob', { pattern: '**/*config*' }]],
    ['list files', ['List', {}]],
    ['what files are here?', ['List', {}]],
    ['ls', ['List', {}]],
    ['list src', ['List', { path: 'src' }]],
    ['show the folder src/app', ['List', { path: 'src/app' }]],
    ['what is running?', ['Process', { action: 'list' }]],
    ['what time is it?', ['Time', { format: 'rfc2822' }]],
    ['write hello to notes.txt', ['Write', { path: 'notes.txt', content: 'hello\n' }]],
    ['create a file called a.txt with "two words"', ['Write', { path: 'a.txt', content: 'two words\n' }]],
    [
      'replace hello with goodbye in notes.txt',
      ['Edit', { path: 'notes.txt', oldString: 'hello', newString: 'goodbye' }],
    ],
    ['delete notes.txt', ['Delete', { path: 'notes.txt' }]],
  ]
  it.each(table)('%s', (request, expected) => {
    const intent = readIntent(request)
    if (intent.kind !== 'call') throw new Error(`taken for ${JSON.stringify(intent)}`)
    expect(intent.calls.map(({ name, args }) => [name, args])).toEqual([expected])
  })

  it.each([
    ['hello', 'greeting'],
    ['Hi there!', 'greeting'],
    ['who are you?', 'self'],
    ['what can you do', 'help'],
    ['How do I add a model?', 'models'],
    ['how do approvals work', 'approvals'],
    ['how do the terminals work?', 'terminals'],
    ['keyboard shortcuts', 'keys'],
    ['thanks', 'thanks'],
  ])('%s', (request, topic) => {
    expect(readIntent(request)).toEqual({ kind: 'topic', topic })
  })

  it('asks for the command instead of guessing one', () => {
    expect(readIntent('run the tests')).toEqual({ kind: 'which-command' })
    expect(readIntent('stop it')).toEqual({ kind: 'process', action: 'kill' })
    expect(readIntent('type yes into it')).toEqual({ kind: 'process', action: 'submit', data: 'yes' })
    expect(readIntent('refactor the parser to use generators')).toEqual({ kind: 'unknown' })
  })
})

describe('the guide', () => {
  it('says what it is, and always the same', async () => {
    for (const request of ['hello', 'who are you', 'help', 'write me a poem about the sea']) {
      const first = await hear([user(request)])
      expect(first.text).toMatch(/guide/)
      expect(first.text).toMatch(/not a language model/)
      expect(first.calls).toEqual([])
      expect(await hear([user(request)])).toEqual(first)
    }
  })

  it('calls tools, several when several commands are named', async () => {
    const { calls, last } = await hear([user('run `pwd` and `ls`')])
    expect(calls.map((call) => call.arguments)).toEqual(['{"command":"pwd"}', '{"command":"ls"}'])
    expect(new Set(calls.map((call) => call.id)).size).toBe(2)
    expect(last).toEqual({ type: 'end', reason: 'stop' })
    const other = await hear([user('read README.md')], { tools: [] })
    expect(other.calls).toEqual([])
    expect(other.text).toContain('Read')
  })

  it('tells how a command went', async () => {
    const lines = Array.from({ length: 30 }, (_, i) => `\x1b[32mline ${i}\x1b[0m`).join('\r\n')
    const good = await hear(
      afterCall('Bash', { command: 'seq 30' }, { status: 'completed', exitCode: 0, signal: null, output: lines }),
    )
    expect(good.text).toContain('`seq 30` ended well (exit code 0)')
    expect(good.text).toContain('line 29\n```')
    expect(good.text).not.toContain('line 3\n')
    const bad = await hear(
      afterCall('Bash', { command: 'nope' }, { status: 'failed', exitCode: 127, signal: null, output: '' }),
    )
    expect(bad.text).toBe('`nope` failed with exit code 127: there is no such command. It printed nothing.')
    const killed = await hear(
      afterCall('Bash', { command: 'x' }, { status: 'failed', exitCode: null, signal: 'SIGKILL', output: '' }),
    )
    expect(killed.text).toContain('was ended by SIGKILL')
  })

  it('explains denials and failures', async () => {
    const denied = await hear(
      afterCall('Bash', { command: 'rm x' }, { error: 'The user denied this call. Do not try it again.' }, true),
    )
    expect(denied.text).toContain('You denied it, so nothing was done.')
    const noted = await hear(
      afterCall('Bash', { command: 'rm x' }, { error: 'The user denied this call and says: keep x' }, true),
    )
    expect(noted.text).toContain('keep x')
    const missing = await hear(afterCall('Read', { path: 'no.md' }, { error: 'File not found: no.md' }, true))
    expect(missing.text).toContain('File not found: no.md')
  })

  it('tells what it read and found', async () => {
    const read = await hear(
      afterCall('Read', { path: 'a.md' }, { path: '/w/a.md', content: '1\t# Title\n2\ttext', lines: 2 }),
    )
    expect(read.text).toBe('`a.md` has 2 lines. It reads:\n\n```\n# Title\ntext\n```')
    const found = await hear(
      afterCall(
        'Grep',
        { pattern: 'TODO' },
        { matches: [{ path: 'a.ts', line: 3, content: '  // TODO x' }], count: 1 },
      ),
    )
    expect(found.text).toContain('a.ts:3: // TODO x')
    const none = await hear(afterCall('Grep', { pattern: 'TODO' }, { matches: [], count: 0 }))
    expect(none.text).toBe('Nothing matches `TODO`.')
    const listed = await hear(
      afterCall(
        'List',
        {},
        {
          path: '/w',
          entries: [
            { name: 'src', type: 'directory' },
            { name: 'a', type: 'file' },
          ],
        },
      ),
    )
    expect(listed.text).toBe('2 entries in `/w`:\n\n```\nsrc/\na\n```')
  })

  it('stops the process that it started, and only while it runs', async () => {
    const started = afterCall(
      'Bash',
      { command: 'ping x', background: true },
      { status: 'running', sessionId: 'p7', pid: 1 },
    )
    const stop = [...started, { role: 'assistant' as const, text: 'ok', calls: [] }, user('stop it')]
    expect((await hear(stop)).calls.map((call) => call.arguments)).toEqual(['{"action":"kill","sessionId":"p7"}'])
    expect((await hear([user('stop it')])).text).toContain('Nothing that I started is running')
    const exited = [
      ...started,
      user('[Deckhand] Background process p7 (ping x) ended with exit code 1.'),
      user('stop it'),
    ]
    expect((await hear(exited)).calls).toEqual([])
  })

  it('passes on what the app tells it', async () => {
    const note =
      '[Deckhand] Background process p7 (make) ended with exit code 2.\nIts last output:\nmake: *** [all] Error 2'
    expect((await hear([user('start make'), { role: 'assistant', text: 'ok', calls: [] }, user(note)])).text).toBe(
      'The background process `make` ended with exit code 2.\n\n```\nmake: *** [all] Error 2\n```',
    )
  })

  it('reports a result although the app has told it something since, and never repeats what the user typed', async () => {
    const ran = afterCall('Bash', { command: 'cat' }, { status: 'completed', exitCode: 0, output: 'x\n' })
    const typed = user('[Deckhand] The user typed into process p1 (cat): "x"')
    expect((await hear([...ran, typed])).text).toBe((await hear(ran)).text)
    const note = user('[Deckhand] Background process p7 (make) ended with exit code 0.')
    expect((await hear([...ran, typed, note])).text).toBe(
      `${(await hear(ran)).text}\n\nThe background process \`make\` ended with exit code 0.`,
    )
  })

  it('stops in the middle of a word when told to', async () => {
    const controller = new AbortController()
    let chunks = 0
    for await (const _ of createGuide().stream(ask({ messages: [user('help')], tools, signal: controller.signal }))) {
      if (++chunks === 3) controller.abort()
    }
    expect(chunks).toBe(3)
  })
})
