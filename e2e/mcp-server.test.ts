/** Our tools for other programs: `deckhand mcp` as another agent starts it, with the window and without. */
import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { expect, test } from './app'
import { answer, card, pane, picture, sessionRow } from './steps'

const checkout = dirname(dirname(fileURLToPath(import.meta.url)))
const program = join(checkout, 'bin/deckhand.mjs')

async function connect(cwd: string, words: string[], env: Record<string, string> = {}) {
  const client = new Client({ name: 'tester', version: '1' })
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [program, 'mcp', ...words],
      cwd,
      env: { ...(process.env as Record<string, string>), ...env },
    }),
  )
  return client
}

const textOf = (result: Awaited<ReturnType<Client['callTool']>>): string => JSON.stringify(result.content)

test('what another program calls is seen in the window, asks there and can be undone', async ({ deckhand }) => {
  const { window, dataDir, workspace } = deckhand
  // The window opens its door a moment after it was drawn.
  await expect(() => expect(existsSync(join(dataDir, 'gateway/tools'))).toBe(true)).toPass()
  const client = await connect(workspace, ['--data', dataDir, '--approve', 'all'])
  try {
    const { tools } = await client.listTools()
    const names = tools.map(({ name }) => name)
    for (const name of ['Bash', 'Process', 'Read', 'Write', 'Edit', 'Watch', 'AskUser']) expect(names).toContain(name)
    expect(names).not.toContain('MoreTools')
    expect(tools.find(({ name }) => name === 'Read')?.annotations?.readOnlyHint).toBe(true)

    expect(textOf(await client.callTool({ name: 'Bash', arguments: { command: 'echo seen-live' } }))).toContain(
      'seen-live',
    )
    await sessionRow(window, 'tester (MCP)').click()
    await expect(pane(window, /^echo seen-live/)).toBeVisible()

    // The mode of the window counts, whatever the program was started with.
    const wanted = client.callTool({ name: 'Bash', arguments: { command: 'touch made.txt' } })
    await expect(card(window, 'touch made.txt')).toBeVisible()
    expect(existsSync(join(workspace, 'made.txt'))).toBe(false)
    await picture(deckhand, 'mcp-server')
    await answer(card(window, 'touch made.txt'), 'Allow once')
    expect((await wanted).isError).toBeFalsy()
    expect(existsSync(join(workspace, 'made.txt'))).toBe(true)
    await expect(window.getByText('1 file created')).toBeVisible()

    const refused = client.callTool({ name: 'Write', arguments: { path: 'no.txt', content: 'no' } })
    await answer(card(window, 'no.txt'), /^Deny(?! with)/)
    const { isError } = await refused
    expect([isError, existsSync(join(workspace, 'no.txt'))]).toEqual([true, false])

    const asked = client.callTool({ name: 'AskUser', arguments: { question: 'Which colour?' } })
    await window.getByRole('textbox', { name: 'Your answer' }).fill('Blue')
    await answer(card(window, 'Which colour?'), 'Answer')
    expect(textOf(await asked)).toContain('Blue')
  } finally {
    await client.close()
  }
})

test.describe('without a window', () => {
  let root = ''
  const folder = (name: string) => join(root, name)
  const env = () => ({ HOME: folder('home'), SHELL: '/bin/sh' })
  test.beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'deckhand-mcp-server-'))
    for (const name of ['workspace', 'data', 'home']) mkdirSync(folder(name))
  })
  test.afterEach(() => rmSync(root, { recursive: true, force: true }))

  test('it works by itself, as far as --approve lets it', async () => {
    const words = ['--data', folder('data')]
    const careful = await connect(folder('workspace'), words, env())
    const write = { name: 'Write', arguments: { path: 'a.txt', content: 'hello' } }
    const refused = await careful.callTool(write)
    expect([refused.isError, textOf(refused)]).toEqual([true, expect.stringContaining('nobody is there to ask')])
    await careful.close()
    const free = await connect(folder('workspace'), [...words, '--approve', 'workspace'], env())
    expect((await free.callTool(write)).isError).toBeFalsy()
    expect(textOf(await free.callTool({ name: 'Read', arguments: { path: 'a.txt' } }))).toContain('hello')
    // What it started ends with it, and a call that is given up ends at once.
    const stop = new AbortController()
    const sleeping = free.callTool({ name: 'Bash', arguments: { command: 'sleep 60' } }, { signal: stop.signal })
    setTimeout(() => stop.abort(), 300)
    await expect(sleeping).rejects.toThrow()
    await free.close()
    const { stdout } = await promisify(execFile)(process.execPath, [program, 'undo', ...words], {
      cwd: folder('workspace'),
      env: { ...process.env, ...env() },
    })
    expect(stdout).toContain('a.txt')
  })

  test('our own client uses it like any server', async () => {
    mkdirSync(folder('inner'))
    const inner = { command: process.execPath, args: [program, 'mcp', '--data', folder('inner')] }
    writeFileSync(join(folder('data'), 'settings.json'), JSON.stringify({ mcpServers: { inner } }))
    const child = promisify(execFile)(
      process.execPath,
      [program, 'call', '--data', folder('data'), '--approve', 'all'],
      {
        cwd: folder('workspace'),
        env: { ...process.env, ...env() },
      },
    )
    child.child.stdin?.end(`${JSON.stringify({ id: 1, tool: 'inner__List', args: { path: '.' } })}\n`)
    const { stdout } = await child
    expect(JSON.parse(stdout)).toMatchObject({ id: 1, isError: false })
  })

  test('the official inspector lists its tools and calls them', async () => {
    const cached = process.env.DECKHAND_MCP_INSPECTOR ?? join(checkout, 'node_modules/.cache/mcp-inspector')
    const inspector = join(cached, 'node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js')
    test.skip(
      !existsSync(inspector),
      'npm install --no-save --prefix node_modules/.cache/mcp-inspector @modelcontextprotocol/inspector brings it',
    )
    const inspect = async (...words: string[]) => {
      const served = [process.execPath, program, 'mcp', '--data', folder('data'), '--approve', 'workspace']
      const { stdout } = await promisify(execFile)(process.execPath, [inspector, '--cli', ...served, ...words], {
        cwd: folder('workspace'),
        env: { ...process.env, ...env() },
      })
      return JSON.parse(stdout)
    }
    const { tools } = await inspect('--method', 'tools/list')
    expect(tools.map(({ name }: { name: string }) => name)).toContain('Bash')
    const called = ['--method', 'tools/call', '--tool-name', 'Bash', '--tool-arg', 'command=touch from-inspector']
    expect((await inspect(...called)).isError).toBeFalsy()
    expect(readdirSync(folder('workspace'))).toEqual(['from-inspector'])
  })
})
