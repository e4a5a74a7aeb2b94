import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { SkillInfo } from '../../src-preload/contract/skills'
import { createOwnFiles, type OwnFiles } from './own-files'
import { createSessionPrompt } from './session-prompt'

let root: string
let files: OwnFiles
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'deckhand-prompt-'))
  files = createOwnFiles(root)
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

const skill = {
  name: 'gh',
  description: 'Talks to <GitHub>',
  location: 'skills/gh/SKILL.md',
  source: 'global',
} as SkillInfo

const promptOf = (toolset: string, key = 'agent:main:main', skills: SkillInfo[] = [skill]) =>
  createSessionPrompt({
    files,
    skills: async () => skills,
    base: () => 'BASE',
    forChild: () => 'For a child.',
    instructions: async () => '',
    nodes: () => [],
    rules: () => ({}),
    channelOf: () => undefined,
    timeZone: () => 'Europe/Berlin',
    // Half past midnight in Berlin, still yesterday in UTC.
    now: () => Date.parse('2026-11-15T23:30:00Z'),
  }).text({ id: 's', key, agentId: 'main', workspace: '/w', model: 'm', toolset }, [
    { name: 'gsv__Cron', description: 'Jobs' },
  ])

const write = async (...paths: string[]): Promise<void> => {
  for (const path of paths) await files.write('main', path, `text of ${path}`)
}
const all = [
  'SOUL.md',
  'IDENTITY.md',
  'USER.md',
  'AGENTS.md',
  'MEMORY.md',
  'TOOLS.md',
  'HEARTBEAT.md',
  'memory/2026-11-15.md',
  'memory/2026-11-16.md',
]
const headings = (prompt: string): string[] =>
  prompt.split('\n\n---\n\n').map((section) => /^## (.+)$/m.exec(section)?.[1] ?? section.slice(0, 10))

test('an agent without files costs the default vocabulary nothing', async () => {
  expect(await promptOf('deckhand', '', [])).toBe('BASE')
})

test('files and skills follow what the default vocabulary says', async () => {
  await write(...all)
  const prompt = await promptOf('deckhand')
  const order = [
    'BASE',
    'text of SOUL.md',
    'text of AGENTS.md',
    'text of MEMORY.md',
    'text of memory/2026-11-15.md',
    'text of memory/2026-11-16.md',
    '- gh: Talks to <GitHub> (skills/gh/SKILL.md)',
  ]
  expect(order.map((text) => prompt.indexOf(text))).toEqual(
    order.map((text) => prompt.indexOf(text)).sort((a, b) => a - b),
  )
  expect(order.every((text) => prompt.includes(text))).toBe(true)
})

test('gsv has its sections in their order, joined by rules', async () => {
  await write(...all)
  expect(headings(await promptOf('gsv'))).toEqual([
    'You are a ',
    'Tooling',
    'Tool Call Style',
    'Safety',
    'Workspace',
    'Workspace Files',
    'Soul',
    'Identity',
    'User',
    'AGENTS',
    'MEMORY',
    'Notes',
    'TOOLS',
    'Heartbeats',
    'Skills',
    'Runtime',
  ])
  expect(await promptOf('gsv')).toContain('<description>Talks to &lt;GitHub&gt;</description>')
})

test('MEMORY.md stays out of conversations with others', async () => {
  await write(...all)
  expect(headings(await promptOf('gsv', 'agent:main:slack:group:C1'))).not.toContain('MEMORY')
  expect(await promptOf('deckhand', 'agent:main:cron:j1')).not.toContain('text of MEMORY.md')
  expect(await promptOf('gsv', 'agent:main:slack:group:C1')).toContain('text of memory/2026-11-16.md')
})

test('while there is a BOOTSTRAP.md, the agent is in its first run', async () => {
  await write(...all, 'BOOTSTRAP.md')
  expect(headings(await promptOf('gsv')).slice(6)).toEqual([
    'First run',
    'Soul',
    'Identity',
    'User',
    'Heartbeats',
    'Runtime',
  ])
  expect(await promptOf('deckhand')).not.toContain('text of AGENTS.md')
  await files.remove('main', 'BOOTSTRAP.md')
  expect(headings(await promptOf('gsv'))).toContain('AGENTS')
})

test('long files are cut, notes at their beginning and everything else at its end', async () => {
  await files.write('main', 'SOUL.md', `first ${'x'.repeat(50_000)} last`)
  await files.write('main', 'memory/2026-11-16.md', `first note ${'x'.repeat(50_000)} newest note`)
  const prompt = await promptOf('gsv')
  expect(prompt.length).toBeLessThan(25_000)
  expect([
    prompt.includes('first xxx'),
    prompt.includes('xxx last'),
    prompt.includes('first note'),
    prompt.includes('newest note'),
  ]).toEqual([true, false, false, true])
})
