/** What a signal, or the death of the launcher, leaves behind of bin/deckhand.mjs: nothing. */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { test as base, expect } from '@playwright/test'
import { calls, type ScriptedModel, says, scriptedModel } from './scripted-model'

const checkout = dirname(dirname(fileURLToPath(import.meta.url)))

interface Started {
  child: ChildProcessWithoutNullStreams
  /** The code as a shell would report it, and what was said on stderr. */
  ended: Promise<{ code: number; stderr: string }>
}

const test = base.extend<{ model: ScriptedModel; start: (words: string[]) => Started }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures from this pattern
  model: async ({}, use) => {
    const model = await scriptedModel()
    await use(model)
    await model.close()
  },
  start: async ({ model }, use) => {
    const root = mkdtempSync(join(tmpdir(), 'deckhand-stopping-'))
    for (const name of ['workspace', 'data', 'home']) mkdirSync(join(root, name))
    const env = { ...process.env, HOME: join(root, 'home'), SHELL: '/bin/sh', DECKHAND_API_KEY: 'key-of-the-test' }
    const where = ['--data', join(root, 'data'), '--workspace', join(root, 'workspace'), '--approve', 'all']
    const provider = ['--provider', 'openai', '--base-url', model.baseUrl, '--model', 'scripted']
    await use(([command = '', ...words]) => {
      const options = command === 'run' ? [...where, ...provider] : where
      const child = spawn(process.execPath, [join(checkout, 'bin/deckhand.mjs'), command, ...options, ...words], {
        env,
      })
      return { child, ended: endOf(child) }
    })
    rmSync(root, { recursive: true, force: true, maxRetries: 5 })
  },
})

const numbers = { SIGINT: 2, SIGTERM: 15 }
const shellCode = (code: number | null, signal: NodeJS.Signals | null): number =>
  code ?? 128 + (signal === 'SIGINT' || signal === 'SIGTERM' ? numbers[signal] : 0)

function endOf(child: ChildProcessWithoutNullStreams): Started['ended'] {
  let stderr = ''
  child.stderr.on('data', (text) => {
    stderr += text
  })
  child.stdout.resume()
  return new Promise((resolve) => {
    child.on('close', (code, signal) => resolve({ code: shellCode(code, signal), stderr }))
  })
}

/** Every program that gets away from whoever started it, with the word in its command line, and then a long wait. */
const escapes = (word: string): string =>
  [
    `sh -c 'while :; do sleep 1; done' ${word} plain &`,
    `setsid sh -c 'while :; do sleep 1; done' ${word} session &`,
    `( setsid sh -c 'while :; do sleep 1; done' ${word} daemon >/dev/null 2>&1 & )`,
    `sh -c 'trap "" TERM HUP INT; while :; do sleep 1; done' ${word} deaf &`,
    `( env -i /usr/bin/setsid /bin/sh -c 'trap "" TERM; while :; do sleep 1; done' ${word} bare >/dev/null 2>&1 & )`,
    `nohup sh -c 'while :; do sleep 1; done' ${word} nohup >/dev/null 2>&1 &`,
    `sleep 600`,
  ].join('\n')

const kinds = ['plain', 'session', 'daemon', 'deaf', 'bare', 'nohup']

/** The command lines that hold the word. */
const withWord = (word: string): string[] =>
  readdirSync('/proc').flatMap((name) => {
    try {
      const line = readFileSync(`/proc/${name}/cmdline`, 'utf8').replaceAll('\0', ' ')
      return line.includes(word) ? [line] : []
    } catch {
      return [] // No process, or one that has just ended.
    }
  })

const allStarted = (word: string): Promise<void> =>
  expect
    .poll(() => kinds.filter((kind) => withWord(word).some((line) => line.includes(`done ${word} ${kind}`))), {
      timeout: 60_000,
    })
    .toEqual(kinds)

const nothingLeft = (word: string): Promise<void> => expect.poll(() => withWord(word), { timeout: 30_000 }).toEqual([])

test.setTimeout(600_000)

test('an engine whose launcher is killed ends, and so does all that its turn has started', async ({ model, start }) => {
  const word = `word-${randomUUID()}`
  model.push(calls('Bash', { command: escapes(word) }), calls('Bash', { command: `touch ${word}` }), says('never'))
  const { child, ended } = start(['run', 'Go'])
  await allStarted(word)
  // The engine's command line holds the address of the model.
  expect(withWord(model.baseUrl)).toHaveLength(2)
  child.kill('SIGKILL')
  await ended
  await nothingLeft(word)
  await nothingLeft(model.baseUrl)
  expect(model.requests).toHaveLength(1)
})

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  test(`${signal} ends a turn, a call and all that they have started`, async ({ model, start }) => {
    const word = `word-${randomUUID()}`
    model.push(calls('Bash', { command: escapes(word) }), says('never'))
    const turn = start(['run', 'Go'])
    await allStarted(word)
    turn.child.kill(signal)
    expect((await turn.ended).code).toBe(128 + numbers[signal])
    expect(withWord(word)).toEqual([])

    const call = start(['call'])
    call.child.stdin.write(`${JSON.stringify({ id: 1, tool: 'Bash', args: { command: escapes(word) } })}\n`)
    await allStarted(word)
    call.child.kill(signal)
    expect(await call.ended).toEqual({ code: 128 + numbers[signal], stderr: '' })
    expect(withWord(word)).toEqual([])
  })
}

test('what a finished turn has left running ends with the command', async ({ model, start }) => {
  const word = `word-${randomUUID()}`
  const command = escapes(word).replace('sleep 600', 'sleep 1')
  model.push(calls('Bash', { command }), says('Done.'))
  expect((await start(['run', 'Go']).ended).code).toBe(0)
  expect(withWord(word)).toEqual([])
})

test('a second signal at any moment ends it with the code of the first, without a trace, and leaves nothing', async ({
  model,
  start,
}) => {
  const pairs = [
    ['SIGINT', 'SIGINT'],
    ['SIGTERM', 'SIGINT'],
    ['SIGINT', 'SIGTERM'],
  ] as const
  const wrong: unknown[] = []
  for (let run = 0; run < 30; run++) {
    const [first, second] = pairs[run % pairs.length] ?? pairs[0]
    const word = `word-${randomUUID()}`
    model.push(calls('Bash', { command: escapes(word) }), says('never'))
    const { child, ended } = start(['run', 'Go'])
    // A third of them while it starts, the others in the middle of the turn.
    if (run % 3 === 0) await sleep(40 * run)
    else await allStarted(word)
    child.kill(first)
    await sleep(25 * (run % 10))
    child.kill(second)
    const { code, stderr } = await ended
    const left = withWord(word)
    const traced = /Error|database|\n\s+at /.test(stderr)
    if (code !== 128 + numbers[first] || traced || left.length > 0)
      wrong.push({ run, first, second, code, stderr, left })
    // A turn that did not come to its request has left its answers in the script.
    await sleep(50)
    while (model.left > 0) await fetch(`${model.baseUrl}/chat/completions`, { method: 'POST', body: '{"messages":[]}' })
  }
  expect(wrong).toEqual([])
})
