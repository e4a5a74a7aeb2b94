import { randomUUID } from 'node:crypto'
import { existsSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import type { ShipPlan, ShipWish } from '../../src-preload/contract/review'
import type { Access, Decision } from '../approval/types'
import type { Git } from '../git/git'
import { findRepository, type Repository, readStatus, type Status } from '../git/repository'
import { forgeFor, remotesOf } from './forge'

/** Commits, pushes and pull requests: planned and shown first, and then run as they were shown, in a terminal of the session. */
export interface Ship {
  plan(sessionId: string, wish: ShipWish): Promise<ShipPlan>
  /** Runs a plan once. Rejects if the gate or the work tree says otherwise by now. Answers with the id of the process. */
  run(planId: string, typed: string): Promise<string>
}

interface ShipDeps {
  git: Git
  workspaceOf(sessionId: string): string
  /** What the gate says to a command of a session. */
  decide(access: Access, sessionId: string): Promise<Decision>
  /** A warning about secrets in what would be committed. */
  lookAtCommit(access: Access, sessionId: string): Promise<string | null>
  /** Starts it where the user sees it. Answers with the id of the process. */
  start(sessionId: string, title: string, command: string, cwd: string): Promise<string>
}

interface Kept {
  plan: ShipPlan
  sessionId: string
  wish: ShipWish
  root: string
}

const mostPlans = 20

export function createShip(deps: ShipDeps): Ship {
  const plans = new Map<string, Kept>()

  const make = async (sessionId: string, wish: ShipWish): Promise<Kept> => {
    const root = realpathSync(deps.workspaceOf(sessionId))
    const repository = await findRepository(deps.git, root)
    if (!repository) throw new Error('This folder is not in a git repository.')
    const status = await readStatus(deps.git, repository)
    const drawn = await draw(deps.git, repository, status, wish)
    const access: Access = { action: 'exec', node: 'local', workspace: root, cwd: root, command: drawn.command }
    const decision = await deps.decide(access, sessionId)
    const secret = wish.kind === 'commit' ? await deps.lookAtCommit(access, sessionId) : null
    const denied = decision.verdict === 'deny' ? `Not permitted: ${decision.reason}` : undefined
    const obstacle = drawn.obstacle ?? denied
    const plan: ShipPlan = {
      id: randomUUID(),
      kind: wish.kind,
      command: drawn.command,
      effects: drawn.effects,
      warnings: [...drawn.warnings, ...(secret ? [secret] : [])],
      reason: decision.reason,
      obstacle,
      typedWord: decision.typedWord,
    }
    return { plan, sessionId, wish, root }
  }

  return {
    plan: async (sessionId, wish) => {
      const kept = await make(sessionId, wish)
      plans.set(kept.plan.id, kept)
      for (const old of [...plans.keys()].slice(0, Math.max(0, plans.size - mostPlans))) plans.delete(old)
      return kept.plan
    },
    run: async (planId, typed) => {
      const kept = plans.get(planId)
      if (!kept) throw new Error('This was done already, or is too old. Look at it again.')
      const again = await make(kept.sessionId, kept.wish)
      const same = (plan: ShipPlan): string =>
        JSON.stringify([plan.command, plan.effects, plan.warnings, plan.obstacle])
      if (same(again.plan) !== same(kept.plan))
        throw new Error('Something has changed since this was shown. Look at it again.')
      if (again.plan.obstacle !== undefined) throw new Error(again.plan.obstacle)
      if (again.plan.typedWord !== undefined && typed.trim() !== again.plan.typedWord)
        throw new Error(`Type “${again.plan.typedWord}” to confirm.`)
      plans.delete(planId)
      return deps.start(kept.sessionId, titles[kept.wish.kind], again.plan.command, again.root)
    },
  }
}

const titles = { commit: 'git commit', push: 'git push', 'pull-request': 'Pull request' }

type Drawn = Pick<ShipPlan, 'command' | 'effects' | 'warnings' | 'obstacle'>

async function draw(git: Git, repository: Repository, status: Status, wish: ShipWish): Promise<Drawn> {
  switch (wish.kind) {
    case 'commit':
      return drawCommit(repository, status, wish.message)
    case 'push':
      return drawPush(git, repository, status)
    case 'pull-request':
      return drawPullRequest(git, repository, status, wish)
  }
}

function drawCommit(repository: Repository, status: Status, message: string): Drawn {
  const files = status.staged.map(({ path }) => path)
  const conflicts = status.unstaged.filter(({ kind }) => kind === 'conflict')
  const obstacle =
    conflicts.length > 0
      ? 'Resolve the conflicts first.'
      : files.length === 0
        ? 'Nothing is staged.'
        : message.trim() === ''
          ? 'A commit needs a message.'
          : undefined
  const hooks = ['pre-commit', 'prepare-commit-msg', 'commit-msg', 'post-commit'].filter((name) =>
    existsSync(join(repository.commonDir, 'hooks', name)),
  )
  const where = status.branch === null ? 'on no branch' : `to ${status.branch}`
  return {
    command: `git commit -m ${quoted(message.trim())}`,
    effects: [
      `Commits ${few(files)} ${where}.`,
      ...(hooks.length > 0 ? [`Runs the repository's hooks: ${hooks.join(', ')}.`] : []),
    ],
    warnings: status.branch === null ? ['HEAD is detached: the commit belongs to no branch.'] : [],
    obstacle,
  }
}

async function drawPush(git: Git, repository: Repository, status: Status): Promise<Drawn> {
  const remotes = await remotesOf(git, repository.root)
  const { branch } = status
  if (branch === null) return blocked('git push', 'HEAD is detached: there is no branch to push.')
  if (status.head === null) return blocked('git push', 'There is no commit to push yet.')
  const named = status.upstream?.split('/')[0]
  const remote =
    named !== undefined && remotes.has(named) ? named : remotes.has('origin') ? 'origin' : [...remotes.keys()][0]
  if (remote === undefined) return blocked('git push', 'The repository has no remote.')
  const command = status.upstream
    ? `git push ${quoted(remote)} ${quoted(`${branch}:${status.upstream.slice(remote.length + 1)}`)}`
    : `git push -u ${quoted(remote)} ${quoted(branch)}`
  const commits = status.upstream ? status.ahead : null
  const where = withoutSecret(remotes.get(remote) ?? '')
  return {
    command,
    effects: [
      commits === null
        ? `Pushes ${branch} to ${remote} (${where}), which does not have it yet.`
        : `Pushes ${commits === 1 ? '1 commit' : `${commits} commits`} of ${branch} to ${status.upstream} (${where}).`,
    ],
    warnings:
      status.behind > 0
        ? [
            `${status.upstream} has ${status.behind} commits that are not here. The push will be rejected until you pull.`,
          ]
        : [],
    ...(commits === 0 && { obstacle: 'Everything is pushed already.' }),
  }
}

async function drawPullRequest(
  git: Git,
  repository: Repository,
  status: Status,
  { title, body, draft }: Extract<ShipWish, { kind: 'pull-request' }>,
): Promise<Drawn> {
  const forge = forgeFor(await remotesOf(git, repository.root))
  if (forge === null) return blocked('gh pr create', 'Neither gh nor glab is installed for this remote.')
  const options = [`--title ${quoted(title.trim())}`, ...(draft ? ['--draft'] : [])].join(' ')
  const command =
    forge === 'gh'
      ? `gh pr create ${options} --body ${quoted(body)}`
      : `glab mr create ${options} --description ${quoted(body)} --yes`
  const obstacle =
    status.branch === null
      ? 'HEAD is detached: there is no branch to open it for.'
      : title.trim() === ''
        ? 'It needs a title.'
        : status.upstream === null
          ? 'Push the branch first.'
          : undefined
  const what = forge === 'gh' ? 'pull request' : 'merge request'
  return {
    command,
    effects: [`Opens a ${draft ? 'draft ' : ''}${what} for ${status.branch ?? 'HEAD'} with ${forge}.`],
    warnings: status.ahead > 0 ? [`${status.ahead} commits are not pushed and will not be in it.`] : [],
    obstacle,
  }
}

const blocked = (command: string, obstacle: string): Drawn => ({ command, effects: [], warnings: [], obstacle })

/** For a shell of the POSIX kind. */
const quoted = (text: string): string => (/^[\w./:@+-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`)

/** An address may carry a password. */
const withoutSecret = (address: string): string => address.replace(/^(\w+:\/\/)[^@/]*@/, '$1')

const few = (paths: readonly string[]): string => {
  if (paths.length === 1) return paths[0] ?? ''
  if (paths.length <= 3) return `${paths.slice(0, -1).join(', ')} and ${paths.at(-1)}`
  return `${paths.length} files`
}

/** A message for a commit made from the names of its files. */
export function messageFromFiles(staged: readonly { path: string; kind: string }[]): string {
  const verbs: Record<string, string> = { add: 'Add', delete: 'Remove', move: 'Move' }
  const kinds = new Set(staged.map(({ kind }) => kind))
  const verb = kinds.size === 1 ? (verbs[[...kinds][0] ?? ''] ?? 'Update') : 'Update'
  const names = staged.map(({ path }) => path.slice(path.lastIndexOf('/') + 1))
  if (names.length === 0) return ''
  if (names.length <= 2) return `${verb} ${names.join(' and ')}`
  const folders = new Set(staged.map(({ path }) => (path.includes('/') ? path.slice(0, path.indexOf('/')) : '')))
  const place = folders.size === 1 ? [...folders][0] : ''
  return `${verb} ${names.length} files${place ? ` in ${place}` : ''}`
}
