import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ScriptedModel, says } from '../../e2e/scripted-model'
import type { WordOrigin } from '../../src-preload/contract/approval'
import { decide } from '../approval/decide'
import { localFileView } from '../approval/paths/file-view'
import { questionDraft } from '../tools/question'
import { type Bench, type Run, startBench } from './test-bench'
import { withOrigins } from './word-origins'

/** This very repository: its documents and its package are what an agent would read here. */
const checkout = resolve(import.meta.dirname, '../..')
let bench: Bench<ScriptedModel>
let run: Run
beforeAll(async () => {
  ;({ bench, run } = await startBench())
})
afterAll(() => bench.close())

/** What agents read before they do something, with the real tools. */
const reading: readonly { call: string; args: object }[][] = [
  [
    { call: 'Read', args: { path: 'README.md' } },
    { call: 'Read', args: { path: 'package.json' } },
    { call: 'Glob', args: { pattern: 'src-main/approval/**/*.ts' } },
    { call: 'Bash', args: { command: 'git log --stat -5' } },
  ],
  [
    { call: 'Read', args: { path: 'docs/DEVELOPMENT.md' } },
    { call: 'Grep', args: { pattern: 'npm run', path: 'docs' } },
    { call: 'Bash', args: { command: 'ls -la && git status' } },
    { call: 'Read', args: { path: '.gitignore' } },
  ],
  [
    { call: 'Read', args: { path: 'docs/APPROVAL.md' } },
    { call: 'Read', args: { path: 'src-main/approval/programs/git.ts' } },
    { call: 'Grep', args: { pattern: 'execFileSync', path: 'src-main' } },
    { call: 'Bash', args: { command: 'cat tsconfig.json biome.json' } },
  ],
  [
    { call: 'Read', args: { path: 'docs/ARCHITECTURE.md' } },
    { call: 'Read', args: { path: 'scripts/test.mjs' } },
    { call: 'Read', args: { path: 'src-main/compose.ts' } },
    { call: 'Bash', args: { command: 'git --help; ls docs src-main/tools' } },
  ],
]

const files = localFileView('/home/somebody', process.env.PATH ?? '')

async function readSession(request: string, steps: readonly { call: string; args: object }[]): Promise<string> {
  bench.model.push(...steps.map(({ call, args }) => [{ call, args }]), says('Read.'))
  const { id } = run.runner.createSession({
    workspace: checkout,
    model: 'scripted',
    toolset: 'deckhand',
    mode: 'all',
  })
  run.runner.send(id, request, [])
  await run.turnEnd(id)
  expect(run.transcript(id).calls.map(({ state }) => state.status)).toEqual(steps.map(() => 'done'))
  return id
}

/** The origins that the card of this command would name, as the next call of the session; `null` if nobody is asked. */
async function originsOf(sessionId: string, command: string): Promise<WordOrigin[] | null> {
  const access = {
    action: 'exec' as const,
    node: 'local',
    cwd: checkout,
    workspace: checkout,
    command,
    shell: 'login' as const,
    cageable: true,
  }
  const policy = { mode: 'safe' as const, rules: [], sessionId, now: 0 }
  const decision = decide(access, policy, files)
  if (decision.verdict !== 'ask') return null
  const draft = questionDraft('Bash', access, decision, true, undefined)
  const call = {
    id: 'next',
    sessionId,
    messageId: 'next',
    providerId: 'next',
    name: 'Bash',
    arguments: JSON.stringify({ command }),
    gist: command,
    state: { status: 'pending' as const },
    createdAt: Date.now(),
    startedAt: null,
    endedAt: null,
    grant: null,
  }
  return (await withOrigins(run.store, draft, call, access, decision)).origins ?? []
}

const agentsCommands = (): string[] =>
  readFileSync(join(checkout, 'security/measure/agents.tsv'), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => (line.split('\t')[2] ?? '').replaceAll('\\n', '\n'))

test('on ordinary work under two in a hundred cards name an origin for what the agent chose itself', async () => {
  const commands = agentsCommands()
  const wrong: string[] = []
  let asked = 0
  for (const steps of reading) {
    const sessionId = await readSession('Please carry on with the next point of our list.', steps)
    for (const command of commands) {
      const origins = await originsOf(sessionId, command)
      if (origins === null) continue
      asked += 1
      if (origins.length > 0)
        wrong.push(`${command}  ←  ${origins.map(({ words, line }) => `${words}: ${line}`).join(' | ')}`)
    }
  }
  expect(asked).toBeGreaterThan(300)
  expect(wrong.length / asked, wrong.join('\n')).toBeLessThan(0.02)
}, 120_000)
