/**
 * Two sessions with a scripted model each work on one file of a real repository at the same time, and on work trees of it,
 * in many random orders: nothing that one wrote is lost without a question. ROUNDS sets how many; all thousand take minutes.
 */
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type ModelRequest, type ScriptedModel, says, scriptedModel, type Turn } from '../../e2e/scripted-model'
import type { WorktreeEnd, WorktreeEndPlan } from '../../src-preload/contract/worktrees'
import type { Engine } from '../engine'
import type { Worktrees } from '../worktrees/worktrees'
import { openEngine } from './test-engine'

type Random = (below: number) => number
type Side = 0 | 1
interface Update {
  token: string
  side: Side
  order: number
  /** Its own session has thrown it away. */
  dropped?: true
}

const rounds = Number(process.env.ROUNDS ?? 100)
const steps = 5

let root = ''
let workspace = ''
let engine: Engine
let models: ScriptedModel[] = []
let answers: ((request: ModelRequest) => Turn)[] = []
let chosen: string[] = []

const git = (cwd: string, ...args: string[]): string =>
  execFileSync('git', ['-c', 'user.name=Test', '-c', 'user.email=test@example.org', ...args], { cwd, encoding: 'utf8' })

beforeEach(async () => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'deckhand-interleavings-')))
  workspace = join(root, 'workspace')
  mkdirSync(workspace)
  git(workspace, 'init', '-q', '-b', 'main')
  git(workspace, 'config', 'user.name', 'Test')
  git(workspace, 'config', 'user.email', 'test@example.org')
  git(workspace, 'commit', '-q', '--allow-empty', '-m', 'first')
  answers = [() => says('?'), () => says('?')]
  const served = [0, 1].map((side) =>
    scriptedModel([], { models: [`model-${side}`], otherwise: (request) => answers[side]?.(request) ?? says('?') }),
  )
  models = await Promise.all(served)
  engine = await openEngine(join(root, 'data'), { interactive: true })
  chosen = []
  for (const [side, { baseUrl }] of models.entries()) {
    await engine.providers.save({ name: `Model ${side}`, kind: 'openai', baseUrl })
    const own = engine.providers.list().find(({ name }) => name === `Model ${side}`)
    chosen.push(own?.models[0]?.id ?? '')
  }
})
afterEach(async () => {
  await engine.close()
  for (const model of models) await model.close()
  rmSync(root, { recursive: true, force: true })
})

/** The same numbers in the same order each time. */
const randomFrom = (seed: number): Random => {
  // Seeds that follow each other would begin alike.
  let state = Math.imul(seed, 2_654_435_761) ^ (seed << 13)
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

const tokensIn = (text: string): string[] => text.match(/token-\d-\d+-\d+/g) ?? []
const fileOf = (tokens: readonly string[]): string => [...tokens, 'END', ''].join('\n')
/** What the last tool said, or nothing at the beginning. */
const lastResult = ({ body }: ModelRequest): string => {
  const last = body.messages.at(-1)
  return last?.role === 'tool' ? JSON.stringify(last.content) : ''
}

/**
 * A model that reads, edits, overwrites and commits a file as it pleases. It knows what it has read, and puts nothing into
 * a file that it has not; it writes over what it does not know only as its very first step.
 */
function player(file: string, side: Side, round: number, random: Random): (request: ModelRequest) => Turn {
  let known: string[] | null = null
  let pending: string[] | null = null
  let asked = ''
  let step = 0
  const call = (name: string, args: object): Turn => {
    asked = name
    return [{ delay: random(4) }, { call: name, args }]
  }
  return (request) => {
    const said = lastResult(request)
    if (asked === 'Read') known = said.includes('END') ? tokensIn(said) : null
    if (asked === 'Edit' || asked === 'Bash') known = null
    if (asked === 'Write') known = said.includes('bytes') ? pending : null
    if (step++ === steps) return says('Done.')
    const token = `token-${side}-${round}-${step}`
    const wish = random(8)
    if (wish === 0) return call('Bash', { command: `git add ${file} && git commit -qm "${token}" -- ${file} || true` })
    if (wish < 4) return call('Edit', { path: file, oldString: 'END', newString: `${token}\nEND` })
    if (wish === 4 || (known === null && step > 1)) return call('Read', { path: file })
    pending = [...(known ?? []), token]
    return call('Write', { path: file, content: fileOf(pending) })
  }
}

/** Follows what the sessions did, and answers their questions by chance. */
function follow(): {
  updates: Update[]
  allowed: number[]
  counts: Record<string, number>
  begin(random: Random): void
} {
  const asked = new Set<string>()
  const counts = { questions: 0, denied: 0, refused: 0, updates: 0 }
  const seen = { updates: [] as Update[], allowed: [] as number[] }
  let order = 0
  let random: Random = () => 0
  engine.subscribe((event) => {
    if (event.type !== 'call') return
    const { name, state, id } = event.call
    if (state.status === 'awaiting' && !asked.has(state.question.id)) {
      asked.add(state.question.id)
      const questionId = state.question.id
      counts.questions++
      setImmediate(() => {
        const yes = random(2) === 0
        if (yes) seen.allowed.push(++order)
        else counts.denied++
        engine.runner.answer(questionId, yes ? { decision: 'allow', scope: 'once' } : { decision: 'deny' })
      })
    }
    if (state.status === 'failed' && state.error.message.startsWith('Nothing was changed')) counts.refused++
    if (state.status !== 'done' || (name !== 'Edit' && name !== 'Write') || asked.has(`done ${id}`)) return
    asked.add(`done ${id}`)
    const tokens = tokensIn(event.call.arguments)
    const token = tokens.at(-1) ?? ''
    const side: Side = token.startsWith('token-0') ? 0 : 1
    if (name === 'Write')
      for (const each of seen.updates) if (each.side === side && !tokens.includes(each.token)) each.dropped = true
    counts.updates++
    seen.updates.push({ token, side, order: ++order })
  })
  return {
    ...seen,
    counts,
    begin: (next) => {
      random = next
      seen.updates.length = 0
      seen.allowed.length = 0
      for (const model of models) model.requests.length = 0
    },
  }
}

const newSession = (side: number, folder: string): string =>
  engine.createSession({ mode: 'all', workspace: folder, title: `Session ${side}`, model: chosen[side] ?? '' }).id

test(`${rounds} random interleavings of two sessions in one folder: no update is lost without a question`, {
  timeout: 3_600_000,
}, async () => {
  const { updates, allowed, counts, begin } = follow()
  for (let round = 0; round < rounds; round++) {
    const random = randomFrom(round + 1)
    const file = `file-${round}.txt`
    writeFileSync(join(workspace, file), 'END\n')
    begin(random)
    const turns = ([0, 1] as const).map((side) => {
      answers[side] = player(file, side, round, random)
      return engine.runner.sendAndWait(newSession(side, workspace), `Work on ${file}`)
    })
    await Promise.all(turns)
    const end = readFileSync(join(workspace, file), 'utf8')
    const lost = updates.filter(({ token, dropped }) => !dropped && !end.includes(token))
    const unasked = lost.filter((each) => !allowed.some((moment) => moment > each.order))
    expect(unasked, `round ${round}: ${end}`).toEqual([])
  }
  // It was about something: updates were made, some met each other, and some were refused or denied.
  const commits = Number(git(workspace, 'rev-list', '--count', 'HEAD'))
  if (process.env.ROUNDS) console.log({ rounds, ...counts, commits })
  expect(counts.updates).toBeGreaterThan(rounds)
  expect(counts.questions).toBeGreaterThan(rounds / 10)
  expect(counts.denied).toBeGreaterThan(0)
  expect(counts.refused).toBeGreaterThan(0)
  expect(commits).toBeGreaterThan(rounds / 10)
})

test('work trees of one repository, merged in random states: what was committed on either side is still there', {
  timeout: 3_600_000,
}, async () => {
  const { counts, begin } = follow()
  const ends = { merged: 0, refused: 0 }
  const { worktrees } = await engine.reviewing()
  for (let round = 0; round < Math.max(4, rounds / 25); round++) {
    const random = randomFrom(round + 1)
    const file = `file-${round}.txt`
    writeFileSync(join(workspace, file), 'END\n')
    git(workspace, 'add', '-A')
    git(workspace, 'commit', '-qm', `Round ${round}`)
    begin(random)
    const open = (path: string): string => newSession(1, path)
    const { path, branch, sessionId } = await worktrees.create({ folder: workspace, name: `Round ${round}`, open })
    answers[0] = player(round % 2 === 0 ? file : `other-${round}.txt`, 0, round, random)
    answers[1] = player(file, 1, round, random)
    writeFileSync(join(workspace, `other-${round}.txt`), 'END\n')
    await Promise.all([
      engine.runner.sendAndWait(newSession(0, workspace), 'Work here'),
      engine.runner.sendAndWait(sessionId, 'Work in your own folder'),
    ])
    for (const folder of [workspace, path]) {
      git(folder, 'add', '-A')
      git(folder, 'commit', '-q', '--allow-empty', '-m', `End of round ${round}`)
    }
    const held = [workspace, path].flatMap((folder) => tokensIn(git(folder, 'grep', '-h', '-e', 'token', '-e', 'END')))
    const plan = await planOf(worktrees, sessionId, 'merge')
    if (plan.obstacle || plan.conflicts.length > 0) {
      ends.refused++
      await expect(worktrees.end(sessionId, 'merge', plan.stamp)).rejects.toThrow()
    } else {
      await worktrees.end(sessionId, 'merge', plan.stamp)
      ends.merged++
    }
    const branches = git(workspace, 'branch', '--list', branch) ? ['main', branch] : ['main']
    const left = branches.flatMap((each) => tokensIn(git(workspace, 'grep', '-h', '-e', 'token', '-e', 'END', each)))
    expect(
      held.filter((token) => !left.includes(token)),
      `round ${round}`,
    ).toEqual([])
    if (branches.length > 1) await worktrees.end(sessionId, 'keep', (await planOf(worktrees, sessionId, 'keep')).stamp)
  }
  if (process.env.ROUNDS) console.log(ends)
  // Two folders are no collision.
  expect(counts.questions).toBe(0)
  expect(ends.merged).toBeGreaterThan(0)
  expect(ends.refused).toBeGreaterThan(0)
})

const planOf = async ({ plan }: Worktrees, sessionId: string, how: WorktreeEnd): Promise<WorktreeEndPlan> =>
  (await plan(sessionId)).find(({ end }) => end === how) ?? expect.fail(`no plan for ${how}`)
