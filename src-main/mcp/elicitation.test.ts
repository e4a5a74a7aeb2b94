import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { CallToolResult } from '@modelcontextprotocol/client'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { formErrors, type QuestionForm } from '../../src-preload/contract/form'
import type { CallOptions } from './connection-types'
import { formFrom } from './elicitation'
import type { FormAnswer } from './server-questions'
import { everything, type McpBench, nodeServer, openMcpBench, until } from './test-bench'

const filesystem = createRequire(import.meta.url).resolve('@modelcontextprotocol/server-filesystem/dist/index.js')

let bench: McpBench | undefined
let folder = ''
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'deckhand-elicit-')))
})
afterEach(async () => {
  await bench?.close()
  bench = undefined
  rmSync(folder, { recursive: true, force: true })
})

const open = async (mcpServers: object): Promise<McpBench> => {
  bench = openMcpBench({ mcpServers })
  await bench.mcp.start()
  return bench
}
const call = (tool: string, options: Partial<CallOptions> = {}, args = {}): Promise<CallToolResult> => {
  const found = bench?.mcp.tools().get(tool)
  if (!found) throw new Error(`There is no ${tool}`)
  return found.call(args, { signal: new AbortController().signal, folder, onProgress: () => {}, ...options })
}
const textOf = ({ content }: CallToolResult): string =>
  content.map((part) => (part.type === 'text' ? part.text : '')).join('\n')

it('puts the form of a real server to the user, and their answers to the server', async () => {
  await open({ every: nodeServer(everything, 'stdio') })
  const shown: { title: string; form: QuestionForm }[] = []
  const answer = (reply: FormAnswer): Partial<CallOptions> => ({
    ask: async (title, form) => {
      shown.push({ title, form })
      return reply
    },
  })
  const said = await call(
    'every__trigger-elicitation-request',
    answer({ action: 'accept', content: { name: 'Ada', integer: 7, titledMultipleSelectEnum: ['fish-2'] } }),
  )
  expect(textOf(said)).toContain('- Name: Ada')
  expect(shown[0]?.title).toBe('every asks: Please provide inputs for the following fields:')
  expect(shown[0]?.form.asker).toBe('every')
  expect(shown[0]?.form.fields).toMatchObject([
    { name: 'name', label: 'String', hint: 'Your full, legal name', required: true, kind: 'text' },
    { name: 'check', kind: 'yes-no', required: false },
    { name: 'firstLine', kind: 'text', start: 'It was a dark and stormy night.' },
    { name: 'email', kind: 'text', format: 'email' },
    { name: 'homepage', format: 'uri' },
    { name: 'birthdate', format: 'date' },
    { name: 'integer', kind: 'number', whole: true, min: 1, max: 100, start: 42 },
    { name: 'number', kind: 'number', whole: false },
    { name: 'untitledSingleSelectEnum', kind: 'one', start: 'Monica' },
    { name: 'untitledMultipleSelectEnum', kind: 'some', min: 1, max: 3, start: ['Guitar'] },
    { name: 'titledSingleSelectEnum', kind: 'one', options: [{ value: 'hero-1', label: 'Superman' }, {}, {}] },
    { name: 'titledMultipleSelectEnum', kind: 'some', options: [{ label: 'Tuna' }, {}, {}] },
    { name: 'legacyTitledEnum', kind: 'one', options: [{ value: 'pet-1', label: 'Cats' }, {}, {}, {}, {}] },
  ])
  expect(textOf(await call('every__trigger-elicitation-request', answer({ action: 'decline' })))).toContain('declined')
  expect(textOf(await call('every__trigger-elicitation-request', answer({ action: 'cancel' })))).toContain('cancelled')
  // Nobody can answer.
  expect(textOf(await call('every__trigger-elicitation-request'))).toContain('cancelled')
})

it('withdraws the question when the call is stopped', async () => {
  await open({ every: nodeServer(everything, 'stdio') })
  const stop = new AbortController()
  let withdrawn = false
  const ask: CallOptions['ask'] = (_, __, signal) =>
    new Promise((_answer, refuse) => {
      signal.addEventListener('abort', () => {
        withdrawn = true
        refuse(signal.reason)
      })
      stop.abort(new Error('enough'))
    })
  const running = call('every__trigger-elicitation-request', { signal: stop.signal, ask })
  await expect(running).rejects.toThrow()
  await until(() => withdrawn)
})

const request = (properties: object, message = 'Tell') =>
  ({ message, requestedSchema: { type: 'object', properties } }) as Parameters<typeof formFrom>[1]

it.each(['password', 'apiKey', 'API key', 'access_token', 'githubToken', 'clientSecret', 'Passphrase', 'PIN'])(
  'asks nobody for a secret: %s',
  (name) => {
    expect(formFrom('x', request({ field: { type: 'string', title: name } }))).toContain('asks for a secret')
    expect(formFrom('x', request({ [name]: { type: 'string' } }))).toContain('asks for a secret')
  },
)

it('shows no more than can be read, and nothing that hides', () => {
  const many = Object.fromEntries(Array.from({ length: 31 }, (_, at) => [`f${at}`, { type: 'string' }]))
  expect(formFrom('x', request(many))).toContain('31 things at once')
  expect(formFrom('x', request({ a: { type: 'object' } }))).toContain('cannot be shown')
  const made = formFrom(
    'x',
    request({ a: { type: 'string', title: 'a\u202Eb' } }, `one\n\ntwo\u200B${'x'.repeat(1000)}`),
  )
  if (typeof made === 'string') throw new Error(made)
  expect(made.title).toMatch(/^x asks: one twox+…$/)
  expect(made.form.fields[0]?.label).toBe('ab')
})

it('holds answers against what was asked', () => {
  const made = formFrom('x', {
    message: '',
    requestedSchema: {
      type: 'object',
      properties: {
        name: { type: 'string', minLength: 2 },
        mail: { type: 'string', format: 'email' },
        count: { type: 'integer', minimum: 1 },
        sure: { type: 'boolean' },
        one: { type: 'string', enum: ['a', 'b'] },
      },
      required: ['name'],
    },
  })
  if (typeof made === 'string') throw new Error(made)
  expect(formErrors(made.form, { name: 'Ada', mail: 'a@b', count: 2, sure: false, one: 'a' })).toEqual({})
  expect(formErrors(made.form, { name: 'Ada' })).toEqual({})
  expect(formErrors(made.form, { mail: 'a', count: 1.5, sure: 'yes', one: 'c', more: 1 })).toEqual({
    name: 'An answer is needed.',
    mail: 'An e-mail address is wanted.',
    count: 'A whole number is wanted.',
    sure: 'Yes or no is wanted.',
    one: 'One of the choices is wanted.',
    more: 'Nobody asked for this.',
  })
})

it('tells a real server the folder of the session that calls, where the user wants that', async () => {
  const other = realpathSync(tmpdir())
  writeFileSync(join(folder, 'note.txt'), 'here')
  await open({
    files: { ...nodeServer(filesystem, tmpdir()), tellFolder: true },
    silent: nodeServer(filesystem, folder),
  })
  const allowed = async (server: string, from: string): Promise<string> =>
    textOf(await call(`${server}__list_allowed_directories`, { folder: from }))
  const comesToAllow = (line: string, from: string) =>
    expect.poll(async () => (await allowed('files', from)).split('\n'), { timeout: 20_000 }).toContain(line)
  await comesToAllow(folder, folder)
  await comesToAllow(other, other)
  await comesToAllow(folder, folder)
  expect(textOf(await call('files__read_text_file', { folder }, { path: join(folder, 'note.txt') }))).toBe('here')
  expect(await allowed('silent', other)).toContain(folder)
})

it('tells a server of a project its folder', async () => {
  const { command, args, env } = nodeServer(everything, 'stdio')
  writeFileSync(join(folder, '.mcp.json'), JSON.stringify({ mcpServers: { every: { command, args, env } } }))
  const { mcp } = await open({})
  const { project } = await mcp.projects.look(folder)
  await mcp.projects.decide(folder, project.hash, 'trust')
  await until(() => mcp.tools(folder).has('every__get-roots-list'))
  const tool = mcp.tools(folder).get('every__get-roots-list')
  const said = await tool?.call({}, { signal: new AbortController().signal, folder: '/', onProgress: () => {} })
  expect(textOf(said as CallToolResult)).toContain(pathToFileURL(folder).href)
})
