import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'

/** What any service may use: the place where commands run, a table of its own, the log, and the way out. */
const serviceNeeds = ['nodes', 'database', 'storage', 'log', 'network']

/** They stand beside nodes and are handed to tools by compose; tools know what they offer. */
const services = [
  'agents',
  'gateway',
  'schedule',
  'memory',
  'channels',
  'mcp',
  'web',
  'skills',
  'subagents',
  'receipts',
  'sandbox',
  'watches',
  'instructions',
  'hooks',
  'moving-in',
  'mentions',
  'editors',
]

/** Small files without dependencies of their own, for everybody. */
const forEverybody = [
  'contract',
  'error-code',
  'error-text',
  'given-fields',
  'is-record',
  'listeners',
  'listening-address',
  'nearest',
  'own-process',
  'process-alive',
  'read-plain-file',
  'redact',
  'session-keys',
  'sign-in-attempt',
  'system-time-zone',
  'temporary',
  'track-work',
]

/**
 * Who may import whom. A part is a folder of src-main or a file at its top, or one of the trees beside it. An entry names
 * a part, or one file of it. Every part may import itself and what is for everybody; a part that is not listed, nothing else.
 */
const mayImport: Record<string, readonly string[]> = {
  renderer: [],
  preload: [],
  contract: [],

  // session → agent → tools → nodes → contract, and session → toolsets → tools
  session: [
    'agent',
    'toolsets',
    'tools',
    'nodes',
    'approval',
    'hosts',
    'changes',
    'receipts',
    'losses',
    'sandbox',
    'watches',
    'hooks',
    'collisions',
    'database',
    'storage',
    'log',
  ],
  toolsets: ['tools', 'nodes', 'approval', 'changes', ...services],
  agent: ['tools', 'storage', 'network'],
  tools: ['nodes', 'approval', 'changes', 'storage', ...services],
  nodes: ['pty-host', 'database', 'storage', 'log', 'file-names'],
  approval: ['file-names'],
  changes: ['file-names'],

  // The other end of the gateway: a program of its own, for machines without a desktop.
  'node-agent': ['gateway', 'tools', 'nodes', 'log', 'arguments', 'network/unknown-issuer'],

  // It runs in a process of its own and shares with the nodes the words they speak and how running programs are found.
  'pty-host': ['nodes/node', 'nodes/process-list', 'nodes/process-mark', 'storage/system-words'],

  // Services stand beside nodes and are handed to tools by compose.
  ...Object.fromEntries(services.map((service) => [service, serviceNeeds])),
  agents: serviceNeeds,
  hosts: serviceNeeds,
  skills: [...serviceNeeds, 'agents'],
  memory: [...serviceNeeds, 'agents'],
  mcp: [...serviceNeeds, 'web/invisible'],
  receipts: [...serviceNeeds, 'changes', 'file-names'],
  sandbox: [...serviceNeeds, 'approval', 'changes', 'receipts/image-diff', 'web/addresses', 'file-names'],
  // Our own git in the user's folders, and what is looked through and done with it.
  git: ['approval', 'sandbox'],
  worktrees: [...serviceNeeds, 'git'],
  collisions: [],
  review: [...serviceNeeds, 'git', 'receipts', 'changes', 'approval'],
  // Sessions played again: what was said, and what the logs of terminals showed.
  replay: ['session', 'nodes', 'pty-host'],
  // What a call would destroy: read by the gate's own grammar, and held against what receipts know.
  losses: ['approval', 'changes', 'receipts', 'file-names'],
  // What can be typed after a slash; each kind of command is handed to it.
  slash: [],
  // How requests leave this machine.
  network: [],
  'moving-in': [...serviceNeeds, 'approval', 'mcp', 'hooks'],
  settings: ['agent', 'log', 'mcp/loopback', 'mcp/useful-line', 'network', 'storage'],
  database: ['schema', 'log', 'network-folder', 'storage'],
  storage: ['schema'],
  'start-watch': ['settings'],
  log: ['storage'],

  // The shell around the window.
  window: ['app-protocol', 'window-place'],
  attention: ['engine', 'leaving', 'notification-text'],
  leaving: ['app-protocol', 'engine', 'quit-question', 'user-gesture', 'window'],
  'tool-server': ['engine', 'tools', 'gateway', 'hook-gate'],
  'hook-gate': ['engine', 'approval', 'session'],
  'follow-request': ['engine', 'open-request'],
  help: ['engine', 'log-tail', 'network', 'problem-report', 'screenshot', 'updates'],
  updates: [],
  mishaps: ['engine', 'storage'],
  'quit-question': ['engine', 'storage'],
  'terminal-port': ['engine', 'nodes', 'pty-host'],
  'desktop-host': ['terminal-port', 'nodes', 'settings'],
}

/** Where things are built and joined, and where calls come in: these may import all of src-main. */
const joins = ['index', 'start', 'compose', 'engine', 'ipc', 'handlers', 'cli', 'acp']

/** The only files and folders that know of Electron; everything else also runs headless. */
const electronFiles = [
  'src-main/index.ts',
  'src-main/window.ts',
  'src-main/ipc.ts',
  'src-main/handlers/',
  'src-main/terminal-port.ts',
  'src-main/attention.ts',
  'src-main/leaving/',
  'src-main/mishaps.ts',
  'src-main/quit-question.ts',
  'src-main/desktop-host.ts',
  'src-main/screenshot.ts',
  'src-main/help.ts',
  'src-main/user-gesture.ts',
  'src-preload/index.ts',
  'src-preload/prompt.ts',
]

const sources = ['src-main', 'src-preload', 'src-renderer']

const root = dirname(import.meta.dirname)

/** Set-ups that several tests share. */
const isForTests = (path: string): boolean => /(^|\/)test-[\w-]+(\.ts)?$/.test(path)

const sourceFiles = (): string[] =>
  sources.flatMap((tree) =>
    readdirSync(join(root, tree), { recursive: true, encoding: 'utf8' })
      // Tests and what only they use may import what they need, and declarations hold no code.
      .filter((path) => /\.tsx?$/.test(path) && !/\.(test\.tsx?|d\.ts)$/.test(path) && !isForTests(path))
      .map((path) => `${tree}/${path}`),
  )

test('every import keeps to the dependency rule', () => {
  const files = sourceFiles()
  expect(files.length).toBeGreaterThan(50)
  expect(files.flatMap((file) => breaches(file, readFileSync(join(root, file), 'utf8')))).toEqual([])
})

test('no folder depends on another that depends on it, not even by type', () => {
  const files = sourceFiles()
  const graph = new Map<string, Set<string>>()
  for (const file of files.filter((each) => each.startsWith('src-main/'))) {
    const from = partOf(file)
    for (const specifier of importsOf(readFileSync(join(root, file), 'utf8'))) {
      const to = specifier.startsWith('.') ? partOf(join(dirname(file), specifier)) : from
      if (to !== from && !forEverybody.includes(to)) graph.set(from, (graph.get(from) ?? new Set()).add(to))
    }
  }
  expect(circlesIn(graph)).toEqual([])
  expect(
    circlesIn(
      new Map([
        ['a', new Set(['b'])],
        ['b', new Set(['c'])],
        ['c', new Set(['a'])],
      ]),
    ),
  ).toEqual(['a → b → c → a'])
})

test('what belongs to one vocabulary is used by that vocabulary alone', () => {
  const folder = /^src-main\/toolsets\/(\w+)\//
  const strangers = sourceFiles().flatMap((file) =>
    importsOf(readFileSync(join(root, file), 'utf8'))
      .filter((specifier) => specifier.startsWith('.'))
      .map((specifier) => join(dirname(file), specifier))
      .filter((target) => folder.test(target) && folder.exec(target)?.[1] !== folder.exec(file)?.[1])
      .map((target) => `${file} → ${target}`),
  )
  // The list of vocabularies names the one file of each that makes it.
  expect(
    strangers.filter((each) => !/^src-main\/toolsets\/index\.ts → src-main\/toolsets\/(\w+)\/\1$/.test(each)),
  ).toEqual([])
})

test('what is there for tests is imported by tests alone', () => {
  const found = sourceFiles().flatMap((file) =>
    importsOf(readFileSync(join(root, file), 'utf8'))
      .filter(isForTests)
      .map((specifier) => `${file} → ${specifier}`),
  )
  expect(found).toEqual([])
  expect(['./test-bench', '../nodes/shell/test-sshd', './contest-rows'].filter(isForTests)).toHaveLength(2)
})

test('a breach is found, in whatever way it is written', () => {
  const found = (file: string, text: string) => breaches(file, text).map((breach) => breach.replace(/^.*: /, ''))
  expect(found('src-main/nodes/local.ts', "import { loop } from '../agent/loop'")).toEqual(['nodes → agent/loop'])
  expect(found('src-main/approval/decide.ts', "import type { Tool } from '../tools/tool'")).toEqual([
    'approval → tools/tool',
  ])
  expect(found('src-main/agent/loop.ts', "const s = await import(\n  '../session/store'\n)")).toEqual([
    'agent → session/store',
  ])
  expect(found('src-main/tools/read.ts', "export {\n  run,\n} from '../toolsets'")).toEqual(['tools → toolsets'])
  expect(found('src-main/pty-host/main.ts', "import '../nodes/local'")).toEqual(['pty-host → nodes/local'])
  expect(found('src-renderer/chat/Chat.tsx', "import type { Log } from '../../src-main/log'")).toEqual([
    'renderer → log',
  ])
  expect(found('src-main/session/store.ts', "import { app } from 'electron'")).toEqual(['session → electron'])
  expect(found('src-main/session/store.ts', "import { gate } from '../../e2e/scripted-model'")).toEqual([
    'session → e2e/scripted-model',
  ])
})

test('what the rule allows is let through', () => {
  const allowed = [
    ['src-main/session/turn.ts', "import { runTurn } from '../agent/loop'"],
    ['src-main/nodes/local.ts', "import type { ProcessSpec } from '../pty-host/process'"],
    ['src-main/index.ts', "import { app } from 'electron'\nconst engine = await import('./compose')"],
    ['src-main/cli/run.ts', "import { createRunner } from '../session/runner'"],
    ['src-renderer/chat/Chat.tsx', "import { useStore } from '../state/store'\nimport { z } from 'zod'"],
    ['src-renderer/chat/Chat.tsx', "import type { Session } from '../../src-preload/contract/sessions'"],
  ] as const
  expect(allowed.flatMap(([file, text]) => breaches(file, text))).toEqual([])
})

/** One line for each import in `text` that `file` should not have. */
function breaches(file: string, text: string): string[] {
  const from = partOf(file)
  return importsOf(text).flatMap((specifier) => {
    if (specifier === 'electron') return knowsElectron(file) ? [] : [`${file}: ${from} → electron`]
    if (!specifier.startsWith('.')) return []
    const target = join(dirname(file), specifier)
    return isAllowed(from, target) ? [] : [`${file}: ${from} → ${shortName(target)}`]
  })
}

function knowsElectron(file: string): boolean {
  return electronFiles.some((entry) => (entry.endsWith('/') ? file.startsWith(entry) : file === entry))
}

function isAllowed(from: string, target: string): boolean {
  const to = partOf(target)
  if (to === from || forEverybody.includes(to) || target === 'package.json') return true
  const inMain = target.startsWith('src-main/')
  if (joins.includes(from)) return inMain
  const entries = mayImport[from] ?? []
  return inMain && (entries.includes(to) || entries.includes(shortName(target)))
}

function partOf(path: string): string {
  const [tree, second = ''] = path.split('/')
  if (tree === 'src-renderer') return 'renderer'
  if (tree === 'src-preload') return second === 'contract' ? 'contract' : 'preload'
  return tree === 'src-main' ? second.replace(/\.ts$/, '') : path
}

const shortName = (path: string): string => path.replace(/^src-main\//, '').replace(/\.tsx?$/, '')

/** What a file imports or exports from, statically or not. Comments are dropped first: they may quote code. */
function importsOf(text: string): string[] {
  const code = text.replace(/^\s*(\/\*[\s\S]*?\*\/|\/\/.*$)/gm, '')
  return [...code.matchAll(/(?:\bfrom|\bimport|\b(?:import|require)\s*\()\s*['"]([^'"\n]+)['"]/g)].map(
    (match) => match[1] ?? '',
  )
}

/** Each circle once, as the way around it. */
function circlesIn(graph: ReadonlyMap<string, ReadonlySet<string>>): string[] {
  const circles = new Set<string>()
  const done = new Set<string>()
  const walk = (part: string, way: readonly string[]): void => {
    const at = way.indexOf(part)
    if (at !== -1) circles.add([...way.slice(at), part].join(' → '))
    if (at !== -1 || done.has(part)) return
    for (const next of graph.get(part) ?? []) walk(next, [...way, part])
    done.add(part)
  }
  for (const part of graph.keys()) walk(part, [])
  return [...circles]
}
