import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'

/** What any service may use: the place where commands run, a table of its own, the log. */
const serviceNeeds = ['nodes', 'database', 'storage', 'log']

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
]

/**
 * Who may import whom. A part is a folder of src-main or a file at its top, or one of the trees beside it. An entry names
 * a part, or one file of it. Every part may import itself and the contract; a part that is not listed, nothing else.
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
    'receipts',
    'sandbox',
    'watches',
    'database',
    'storage',
    'log',
    'session-keys',
  ],
  toolsets: ['tools', 'nodes', ...services],
  agent: ['tools', 'storage'],
  tools: ['nodes', 'approval', 'changes', 'storage', ...services],
  nodes: ['pty-host', 'database', 'storage', 'log'],
  approval: [],

  // The other end of the gateway: a program of its own, for machines without a desktop.
  'node-agent': ['gateway', 'tools', 'nodes', 'log', 'cli/arguments'],

  // It runs in a process of its own and shares with the nodes the words they speak and how running programs are found.
  'pty-host': ['nodes/node', 'nodes/process-list', 'nodes/process-mark'],

  // Services stand beside nodes and are handed to tools by compose.
  ...Object.fromEntries(services.map((service) => [service, serviceNeeds])),
  agents: [...serviceNeeds, 'session-keys'],
  skills: [...serviceNeeds, 'agents'],
  memory: [...serviceNeeds, 'agents'],
  receipts: [...serviceNeeds, 'changes'],
  sandbox: [...serviceNeeds, 'approval', 'changes', 'receipts/image-diff', 'web/addresses'],
  settings: ['agent', 'log'],
  database: ['schema', 'log', 'network-folder', 'storage'],
  storage: ['schema'],
  'start-watch': ['settings'],

  // The shell around the window.
  window: ['app-protocol', 'window-place'],
  attention: ['engine', 'notification-text'],
  mishaps: ['engine', 'storage'],
  'quit-question': ['engine', 'storage'],
  'terminal-port': ['engine', 'nodes', 'pty-host'],
  'desktop-host': ['terminal-port', 'nodes', 'settings'],
}

/** Where things are built and joined, and where calls come in: these may import all of src-main. */
const joins = ['index', 'compose', 'engine', 'ipc', 'handlers', 'cli']

/** The only files and folders that know of Electron; everything else also runs headless. */
const electronFiles = [
  'src-main/index.ts',
  'src-main/window.ts',
  'src-main/ipc.ts',
  'src-main/handlers/',
  'src-main/terminal-port.ts',
  'src-main/attention.ts',
  'src-main/mishaps.ts',
  'src-main/quit-question.ts',
  'src-main/desktop-host.ts',
  'src-main/screenshot.ts',
  'src-main/user-gesture.ts',
  'src-preload/index.ts',
]

const sources = ['src-main', 'src-preload', 'src-renderer']

test('every import keeps to the dependency rule', () => {
  const root = dirname(import.meta.dirname)
  const files = sources.flatMap((tree) =>
    readdirSync(join(root, tree), { recursive: true, encoding: 'utf8' })
      // Tests may reach for what they need, and declarations hold no code.
      .filter((path) => /\.tsx?$/.test(path) && !/\.(test\.tsx?|d\.ts)$/.test(path))
      .map((path) => `${tree}/${path}`),
  )
  expect(files.length).toBeGreaterThan(50)
  expect(files.flatMap((file) => breaches(file, readFileSync(join(root, file), 'utf8')))).toEqual([])
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
    ['src-main/pty-host/main.ts', "import type { ProcessSpec } from '../nodes/node'"],
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
  if (to === from || to === 'contract' || target === 'package.json') return true
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
