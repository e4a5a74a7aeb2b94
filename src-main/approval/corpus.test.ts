import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { ApprovalMode, Rule, Verdict } from '../../src-preload/contract/protocol'
import { decide } from './decide'
import { localFileView } from './file-view'
import type { Access, Decision } from './types'

/** Runs a file of cases, one JSON object a line, when the environment names one. */
const corpus = process.env.DECKHAND_CORPUS
const CLASSES = ['shell-approval-bypass', 'denylist-evasion', 'denylist-false-positive', 'path-escape']

interface Case {
  id: string
  class: string
  input: unknown
  setup: { allow?: string[]; fs?: string; mode?: string }
  expected: { decision: string }
}

let root: string
let workspace: string
let outside: string
let home: string

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'deckhand-corpus-')))
  workspace = join(root, 'w', 'proj')
  outside = join(root, 'out')
  home = join(root, 'home')
  for (const folder of [join(workspace, 'src'), join(workspace, 'sub'), outside, home])
    mkdirSync(folder, { recursive: true })
  for (const [name, text] of [
    ['a.txt', 'x\n'],
    ['b.txt', 'y\n'],
    ['src/a.ts', 'foo\n'],
  ] as const)
    writeFileSync(join(workspace, name), text)
  writeFileSync(join(outside, 'secret.txt'), 'secret\n')
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

if (corpus) {
  const cases = readFileSync(corpus, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Case)
  for (const name of CLASSES) {
    describe(name, () => {
      for (const each of cases.filter((one) => one.class === name)) {
        if (name === 'path-escape' && !isFileCase(each)) continue
        test(`${each.id} ${JSON.stringify(each.input).slice(0, 80)}`, () => run(each))
      }
    })
  }
} else {
  test('the corpus has a home to run in', () => expect(realpathSync(workspace)).toBe(workspace))
}

/** The others concern the reading of patches and archives, searches and races, which belong to the tools. */
function isFileCase({ input, setup }: Case): boolean {
  const { tool } = input as { tool: string }
  return /^(?:read|write|edit)_file$/.test(tool) && !/^loop /.test(setup.fs ?? '')
}

function run(each: Case): void {
  const { setup } = each
  if (setup.fs && !setup.fs.includes('open workspace')) shell(setup.fs)
  if (each.class === 'path-escape') runPath(each)
  else runCommand(each)
}

function runCommand({ input, setup, expected }: Case): void {
  const text = expand(input).replaceAll('$WS', workspace)
  const typed = text.startsWith('{"tool":"terminal_write"')
  const command = typed ? (JSON.parse(text) as { data: string }).data : text
  const mode: ApprovalMode = setup.mode === 'allow-all' ? 'all' : 'safe'
  const access: Access = { action: 'exec', node: 'local', cwd: workspace, workspace, command, ...(typed && { typed }) }
  const decision = decideFor(access, mode, setup.allow ?? [])
  const wanted: Record<string, boolean> = {
    prompt: decision.verdict === 'ask',
    allow: decision.verdict === 'allow',
    reject: decision.verdict === 'deny',
    block: decision.verdict === 'deny' || (decision.verdict === 'ask' && decision.typedWord !== undefined),
    'not-block': decision.verdict !== 'deny' && decision.typedWord === undefined,
  }
  expect(wanted[expected.decision], `${decision.verdict}: ${decision.reason}`).toBe(true)
}

function runPath({ input, setup, expected }: Case): void {
  const { tool, path } = input as { tool: string; path: string }
  const opened = setup.fs?.includes('open workspace') ? linkedWorkspace() : workspace
  const resolved = path
    .replace('$WS', workspace)
    .replace('$OUT', outside)
    .replace('<appconfig>', join(home, '.config/deckhand'))
  const reads = tool === 'read_file'
  const access: Access = {
    action: reads ? 'read' : 'write',
    node: 'local',
    cwd: opened,
    workspace: opened,
    paths: [{ path: resolved, access: reads ? 'read' : 'write' }],
  }
  const { verdict, reason } = decideFor(access, 'workspace', [])
  // "deny" in the cases means: not without somebody's word. The workspace is left by asking.
  const accepted: Record<string, Verdict[]> = {
    allow: ['allow'],
    literal: ['allow'],
    'literal-posix/deny-windows': ['allow'],
    'deny-windows': ['allow', 'ask'],
    prompt: ['ask'],
    deny: ['ask', 'deny'],
    error: ['deny'],
  }
  expect(accepted[expected.decision], reason).toContain(verdict)
}

function linkedWorkspace(): string {
  shell('ln -s $WS $OUT/wslink')
  return join(outside, 'wslink')
}

function decideFor(access: Access, mode: ApprovalMode, allow: readonly string[]): Decision {
  const rules = allow.map(
    (entry, index): Rule => ({
      id: String(index),
      scope: 'workspace',
      subject: access.workspace,
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
  return decide(
    access,
    { mode, rules, sessionId: 's', grantedFolders: [], ownFolders: [join(home, '.config/deckhand')], now: 1 },
    files,
  )
}

function shell(script: string): void {
  const env = { PATH: process.env.PATH ?? '', HOME: home, WS: workspace, OUT: outside, GIT_CONFIG_GLOBAL: '/dev/null' }
  execFileSync('bash', ['-c', script], { cwd: workspace, env, stdio: 'ignore' })
}

/** Long strings are written as `{"$concat": [text, {"$repeat": [text, times]}]}`. */
function expand(value: unknown): string {
  if (typeof value === 'string') return value
  const { $concat: parts, $repeat: repeat } = value as { $concat?: unknown[]; $repeat?: [string, number] }
  return parts ? parts.map(expand).join('') : repeat ? repeat[0].repeat(repeat[1]) : ''
}
