import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'

/** Real counterparts from npm: a client of the Agent Client Protocol for `deckhand acp`, the inspector of MCP for `deckhand mcp`. */

const installed = process.env.DECKHAND_AGENTS ?? ''
const wanted = (process.env.DECKHAND_AGENT_NAMES ?? '').split(' ').filter(Boolean)
const deckhand = join(dirname(dirname(fileURLToPath(import.meta.url))), 'bin/deckhand.mjs')
const acpx = join(installed, 'node_modules/.bin/acpx')
const inspector = join(installed, 'node_modules/.bin/mcp-inspector')
const isThere = (id: string, program: string): boolean =>
  (wanted.length === 0 || wanted.includes(id)) && existsSync(program)

let folder = ''
let workspace = ''

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'deckhand-clients-'))
  workspace = join(folder, 'work')
  mkdirSync(workspace)
  mkdirSync(join(folder, 'home'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const run = (program: string, args: string[]) =>
  spawnSync(program, args, {
    cwd: workspace,
    encoding: 'utf8',
    timeout: 100_000,
    env: { PATH: process.env.PATH, HOME: join(folder, 'home') },
  })

test.runIf(isThere('acpx', acpx))('acpx has a turn played, and its answer to a permission counts', () => {
  const agent = `node ${deckhand} acp --data ${join(folder, 'data')} --approve ask`
  const ask = (answer: string, words: string) =>
    run(acpx, ['--agent', agent, '--cwd', workspace, answer, '--format', 'json', 'exec', words])
  const allowed = ask('--approve-all', 'run `echo hello > by-acpx.txt`')
  const lines = allowed.stdout.split('\n').flatMap((line) => (line.startsWith('{') ? [JSON.parse(line)] : []))
  expect(lines.at(-1), allowed.stderr).toMatchObject({ result: { stopReason: 'end_turn' } })
  expect(lines.filter(({ method }) => method === 'session/request_permission')).toHaveLength(1)
  expect(readFileSync(join(workspace, 'by-acpx.txt'), 'utf8')).toBe('hello\n')
  ask('--deny-all', 'run `echo hello > denied.txt`')
  expect(existsSync(join(workspace, 'denied.txt'))).toBe(false)
})

test.runIf(isThere('inspector', inspector))('the inspector lists our tools and calls one', () => {
  const inspect = (approve: string, ...words: string[]) => {
    const server = ['node', deckhand, 'mcp', '--data', join(folder, 'data'), '--approve', approve]
    const { stdout, stderr } = run(inspector, ['--cli', ...server, ...words])
    expect(stdout, stderr).toMatch(/^\{/)
    return JSON.parse(stdout)
  }
  const { tools } = inspect('safe', '--method', 'tools/list')
  const names = tools.map(({ name }: { name: string }) => name)
  expect(names).toEqual(expect.arrayContaining(['Bash', 'Process', 'Read', 'Write', 'Edit', 'AskUser']))
  const call = (approve: string, command: string) =>
    inspect(approve, '--method', 'tools/call', '--tool-name', 'Bash', '--tool-arg', `command=${command}`)
  expect(call('all', 'echo seen > by-inspector.txt && cat by-inspector.txt').content[0].text).toContain('seen')
  expect(call('safe', 'touch refused.txt')).toMatchObject({ isError: true })
  expect(existsSync(join(workspace, 'refused.txt'))).toBe(false)
})
