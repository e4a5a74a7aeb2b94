import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { decide } from '../src-main/approval/decide'
import { localFileView } from '../src-main/approval/paths/file-view'
import type { Access, Decision, FileView, PathAccess } from '../src-main/approval/types'
import { makeSeenFolder } from '../src-main/sandbox/test-ground'
import type { Rule } from '../src-preload/contract/approval'
import type { ApprovalMode } from '../src-preload/contract/sessions'
import { cageSetting, harmInCage } from './caged'
import { type Case, expand, failed, type Judge, type Result, undecided, verdict } from './cases'
import { judgeFileTool } from './file-tools'

/** How the file outside shows: `libsecret` is a folder of the system. */
const SECRET_LINES = ['\nsecret\n', ':secret\n', '\tsecret\n', ' secret\n']

/** A workspace with a few files, something outside, and a home, as real files. */
export interface Ground {
  root: string
  workspace: string
  outside: string
  home: string
  shell(script: string): void
}

/** Tools whose paths alone decide, whatever they are called, and what they do to them. */
const DECIDED_TOOLS: readonly [RegExp, PathAccess['access']][] = [
  [/^(?:delete|remove|rm|unlink)(?:_|$)/, 'delete'],
  [/^(?:read|list|ls|stat|view|open|search|grep)(?:_|$)/, 'read'],
  [/^(?:edit|create|append|move|rename|copy|mkdir|link|upload|download|save)(?:_|$)|^write_/, 'write'],
]
const accessOf = (tool: string): PathAccess['access'] | undefined =>
  DECIDED_TOOLS.find(([pattern]) => pattern.test(tool))?.[1]

/** Commands and paths, decided by the gate itself among real files. */
export const gateJudge: Judge = {
  classes: ['shell-approval-bypass', 'denylist-evasion', 'denylist-false-positive', 'path-escape'],
  async run(cases) {
    const results: Result[] = []
    for (const group of byGround(cases)) results.push(...(await onGround((ground) => judgeGroup(group, ground))))
    return results
  },
}

/** A decision changes nothing, so that cases with the same files share them; tools that write get their own. */
function byGround(cases: readonly Case[]): Case[][] {
  const groups = new Map<string, Case[]>()
  for (const one of cases) {
    const key = changesFiles(one) ? one.id : setupOf(one)
    groups.set(key, [...(groups.get(key) ?? []), one])
  }
  return [...groups.values()]
}

const setupOf = ({ setup }: Case): string => (typeof setup.fs === 'string' ? setup.fs : '')

const changesFiles = (one: Case): boolean =>
  one.class === 'path-escape' &&
  (accessOf((one.input as { tool: string }).tool) === undefined || /^loop |open workspace/.test(setupOf(one)))

async function judgeGroup(group: readonly Case[], ground: Ground): Promise<Result[]> {
  const fs = group[0] ? setupOf(group[0]) : ''
  if (fs !== '' && !/^loop |open workspace/.test(fs)) {
    try {
      ground.shell(fs)
    } catch (error) {
      return group.map((one) => failed(one, `its setup failed: ${(error as Error).message.slice(0, 200)}`))
    }
  }
  const results: Result[] = []
  for (const one of group)
    results.push(await (one.class === 'path-escape' ? judgePath(one, ground) : judgeCommand(one, ground)))
  return results
}

async function judgeCommand(one: Case, ground: Ground): Promise<Result> {
  const input = expand(one.input)
  const typed = typeof input === 'object' && input !== null && 'data' in input ? String(input.data) : null
  const command = (typed ?? String(input)).replaceAll('$WS', ground.workspace)
  const mode: ApprovalMode = one.setup.mode === 'allow-all' ? 'all' : 'safe'
  const { workspace } = ground
  const cage = cageSetting()
  const place = { action: 'exec', node: 'local', cwd: workspace, workspace } as const
  const access: Access = { ...place, command, ...(cage && { cageable: true }) }
  const allow = Array.isArray(one.setup.allow) ? one.setup.allow.map(String) : []
  const decision = decideOn(ground, typed === null ? access : { ...access, typed: true }, mode, allow)
  const { verdict: said, typedWord, reason } = decision
  const wants = one.expected.decision ?? ''
  // In the cage an attack is stopped as well, if it does nothing there; and without one more is asked about.
  if (cage && said === 'allow' && (wants === 'prompt' || wants === 'block')) {
    const harm = await harmInCage(ground, command, workspace, decision, SECRET_LINES)
    return verdict(one, harm === null, `runs unasked, and ${harm}: ${reason}`)
  }
  if (cage === false && said === 'ask' && wants === 'allow') return undecided(one, 'asks where there is no cage')
  const held = said === 'deny' || (said === 'ask' && typedWord !== undefined)
  const wanted: Record<string, boolean> = {
    prompt: said !== 'allow',
    allow: said === 'allow',
    reject: said === 'deny',
    block: held,
    'not-block': !held,
  }
  const ok = wanted[one.expected.decision ?? '']
  return ok === undefined
    ? failed(one, `nobody knows what “${one.expected.decision}” means`)
    : verdict(one, ok, `${said}: ${reason}`)
}

async function judgePath(one: Case, ground: Ground): Promise<Result> {
  const { tool, path, to } = expand(one.input) as { tool: string; path: string; to?: string }
  const fs = String(one.setup.fs ?? '')
  const kind = accessOf(tool)
  if (kind === undefined || fs.startsWith('loop ')) return judgeFileTool(one, tool, path, ground)
  const opened = fs.includes('open workspace') ? linkedWorkspace(ground) : ground.workspace
  const resolved = (text: string): string =>
    text
      .replace('$WS', ground.workspace)
      .replace('$OUT', ground.outside)
      .replace('<appconfig>', join(ground.home, '.config/deckhand'))
  const access: Access = {
    action: kind === 'read' ? 'read' : 'write',
    node: 'local',
    cwd: opened,
    workspace: opened,
    paths: [path, ...(to === undefined ? [] : [to])].map((each) => ({ path: resolved(each), access: kind })),
  }
  const expected = one.expected.decision ?? ''
  const windows = expected.includes('deny-windows')
  const here = decideOn(ground, access, 'workspace')
  const there = windows ? decideOn(ground, access, 'workspace', [], 'windows') : here
  // "deny" in a case means: not without somebody's word. The workspace is left by asking.
  const asks = here.verdict !== 'allow'
  const wanted: Record<string, boolean> = {
    allow: !asks,
    literal: !asks,
    'literal-posix/deny-windows': !asks && there.verdict !== 'allow',
    'deny-windows': there.verdict === 'deny',
    prompt: asks,
    deny: asks,
    error: here.verdict === 'deny',
  }
  const ok = wanted[expected]
  return ok === undefined
    ? failed(one, `nobody knows what “${expected}” means`)
    : verdict(one, ok, `${here.verdict}: ${here.reason}`)
}

function linkedWorkspace(ground: Ground): string {
  ground.shell('ln -s $WS $OUT/wslink')
  return join(ground.outside, 'wslink')
}

export function decideOn(
  { home, workspace }: Ground,
  access: Access,
  mode: ApprovalMode,
  allow: readonly string[] = [],
  os?: FileView['os'],
  kept: readonly Rule[] = [],
): Decision {
  const prefixes = allow.map(
    (entry, index): Rule => ({
      id: String(index),
      scope: 'workspace',
      subject: workspace,
      verdict: 'allow',
      action: 'exec',
      match: { kind: 'prefix', argv: entry.split(' ') },
      sentence: `Always allow ${entry}`,
      createdAt: 0,
      expiresAt: null,
      lastUsedAt: null,
      useCount: 0,
    }),
  )
  const files = localFileView(home, process.env.PATH ?? '')
  const policy = {
    mode,
    rules: [...kept, ...prefixes],
    sessionId: 's',
    ownFolders: [join(home, '.config/deckhand')],
    now: 1,
    ...(cageSetting() !== undefined && { cage: cageSetting() }),
  }
  return decide(access, policy, os ? { ...files, os } : files)
}

export async function onGround<T>(work: (ground: Ground) => T | Promise<T>): Promise<T> {
  // In a cage the temporary files are others, so that a leak there would not show.
  const root = cageSetting()
    ? makeSeenFolder('security-', true)
    : realpathSync(mkdtempSync(join(tmpdir(), 'deckhand-security-')))
  const ground: Ground = {
    root,
    workspace: join(root, 'w', 'proj'),
    outside: join(root, 'out'),
    home: join(root, 'home'),
    shell(script) {
      const { workspace, outside, home } = ground
      const env = {
        PATH: process.env.PATH ?? '',
        HOME: home,
        WS: workspace,
        OUT: outside,
        GIT_CONFIG_GLOBAL: '/dev/null',
      }
      execFileSync('bash', ['-c', script], { cwd: workspace, env, stdio: 'ignore', timeout: 20_000 })
    },
  }
  for (const folder of ['src', 'sub']) mkdirSync(join(ground.workspace, folder), { recursive: true })
  for (const folder of [ground.outside, ground.home]) mkdirSync(folder)
  for (const [name, text] of Object.entries({ 'a.txt': 'x\n', 'b.txt': 'y\n', 'src/a.ts': 'foo\n' }))
    writeFileSync(join(ground.workspace, name), text)
  writeFileSync(join(ground.outside, 'secret.txt'), 'secret\n')
  try {
    return await work(ground)
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
}
