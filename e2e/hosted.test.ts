/** Agents of other makers: in the window, on the command line, and our engine as one of them. */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from './app'
import { answer, card } from './steps'

const checkout = dirname(dirname(fileURLToPath(import.meta.url)))
const agent = { command: 'node', args: [join(checkout, 'src-main/hosts/testing/scripted-agent.mjs')], env: {} }

const home = join(tmpdir(), `deckhand-agent-home-${process.pid}`)
/** By the name of one that is known, and with a model that is named, it runs in the sandbox. */
const caged = {
  ...agent,
  name: 'Qwen Code',
  env: { HOME: home, OPENAI_BASE_URL: 'http://127.0.0.1:11434/v1', AGENT_STATE: join(home, '.qwen/sessions') },
}

test.use({
  launch: { settings: { agent_servers: { scripted: { ...agent, name: 'Scripted agent' }, qwen: caged } } },
})
test.beforeAll(() => void mkdirSync(home, { mode: 0o700 }))
test.afterAll(() => rmSync(home, { recursive: true, force: true }))

test('an agent is chosen like a model, asks by our card, and runs in our terminal', async ({ deckhand }) => {
  const { window, workspace } = deckhand
  await window.getByRole('button', { name: /^Model: / }).click()
  await window.getByRole('option', { name: 'Scripted agent' }).click()
  await expect(window.getByRole('button', { name: 'Model: Scripted agent' })).toBeVisible()
  await window.getByRole('button', { name: 'Start agent' }).click()
  await window.getByRole('button', { name: 'Agent’s Mode: Careful' }).click()
  await window.getByRole('menuitemcheckbox', { name: /^Quick/ }).click()
  await expect(window.getByRole('button', { name: 'Agent’s Mode: Quick' })).toBeVisible()

  const command = 'echo made by an agent > made.txt && cat made.txt'
  const script = [
    { think: 'The user wants a file.' },
    { say: 'I make the file and look at it.' },
    {
      update: {
        sessionUpdate: 'plan',
        entries: [
          { content: 'Make the file', priority: 'high', status: 'in_progress' },
          { content: 'Tell what is in it', priority: 'low', status: 'pending' },
        ],
      },
    },
    { call: { toolCallId: '1', title: 'A harmless look', kind: 'execute', status: 'pending', rawInput: { command } } },
    { ask: { toolCallId: '1', title: 'A harmless look' } },
    { terminal: { command, as: '1' } },
    { progress: { toolCallId: '1', status: 'completed' } },
    {
      call: {
        toolCallId: '2',
        title: 'Edit notes.txt',
        kind: 'edit',
        status: 'completed',
        content: [{ type: 'diff', path: join(workspace, 'notes.txt'), oldText: 'one\ntwo\n', newText: 'one\nthree\n' }],
      },
    },
    { say: ' It is made.' },
  ]
  const box = window.getByRole('textbox', { name: 'Message to Deckhand' })
  await box.fill(JSON.stringify(script))
  await box.press('Enter')
  await expect(card(window, 'made.txt')).toBeVisible()
  await deckhand.screenshot('hosted-question')
  await answer(card(window), 'Allow once')
  await expect(window.getByText('It is made.', { exact: true })).toBeVisible()
  expect(readFileSync(join(workspace, 'made.txt'), 'utf8')).toBe('made by an agent\n')
  await deckhand.screenshot('hosted-light')
  await window.emulateMedia({ colorScheme: 'dark' })
  await deckhand.screenshot('hosted-dark')
})

test('the head of a session says whether its agent runs in the sandbox, and the user turns it off', async ({
  deckhand,
}) => {
  const { window, workspace } = deckhand
  await window.getByRole('button', { name: /^Model: / }).click()
  await window.getByRole('option', { name: 'Qwen Code' }).click()
  const box = window.getByRole('textbox', { name: 'Message to Deckhand' })
  const say = async (...steps: unknown[]) => {
    await box.fill(JSON.stringify(steps))
    await box.press('Enter')
  }
  const outside = join(home, 'outside.txt')
  await say(
    { attempt: { write: join(workspace, 'inside.txt') } },
    { attempt: { write: outside } },
    { tool: { name: 'Bash', command: 'echo by the tools > tooled.txt' } },
    { say: '\n\nFirst end.' },
  )
  await answer(card(window, 'by the tools'), 'Allow once')
  await expect(window.getByText('First end.', { exact: true })).toBeVisible()
  expect(existsSync(join(workspace, 'inside.txt'))).toBe(true)
  expect(existsSync(outside)).toBe(false)
  const chip = window.getByRole('button', { name: 'Agent sandboxed' })
  await chip.click()
  const item = window.getByRole('menuitemcheckbox', { name: /Run Qwen Code in the sandbox/ })
  await expect(item).toBeVisible()
  await deckhand.screenshot('agent-sandbox-light')
  await window.emulateMedia({ colorScheme: 'dark' })
  await deckhand.screenshot('agent-sandbox-dark')
  await item.click()
  await say({ attempt: { write: outside } }, { say: '\n\nSecond end.' })
  await expect(window.getByText('Second end.', { exact: true })).toBeVisible()
  await expect(window.getByRole('button', { name: 'Agent not sandboxed' })).toBeVisible()
  expect(existsSync(outside)).toBe(true)

  // The same message to another agent, in a session beside this one.
  await window.locator('.chat-user').last().hover()
  await window.getByRole('button', { name: 'Send to another agent too' }).last().click()
  await expect(window.getByRole('menuitem', { name: 'Scripted agent' })).toBeVisible()
  await deckhand.screenshot('send-to-another-dark')
  await window.getByRole('menuitem', { name: 'Scripted agent' }).click()
  await expect(window.getByRole('button', { name: 'Model: Scripted agent' })).toBeVisible()
  await expect(window.getByText('Second end.', { exact: true })).toBeVisible()
  await expect(window.locator('.sidebar-row')).toHaveCount(2)
})

test('the command line lists agents, plays a turn of one, goes on with it, and names what it cannot find', () => {
  const root = mkdtempSync(join(tmpdir(), 'deckhand-hosted-cli-'))
  const [workspace, data] = [join(root, 'work'), join(root, 'data')]
  mkdirSync(workspace)
  mkdirSync(data)
  const state = join(root, 'state')
  const kept = { ...agent, env: { AGENT_STATE: state } }
  writeFileSync(join(data, 'settings.json'), JSON.stringify({ agent_servers: { scripted: kept } }))
  const run = (...words: string[]) =>
    spawnSync(process.execPath, [join(checkout, 'bin/deckhand.mjs'), ...words], {
      cwd: workspace,
      encoding: 'utf8',
      timeout: 60_000,
    })
  try {
    const listed = JSON.parse(run('agents', '--json', '--data', data).stdout)
    expect(listed).toContainEqual({ id: 'scripted', name: 'scripted', command: expect.any(Array), source: 'settings' })

    const script = JSON.stringify([
      { say: 'Here. ' },
      { terminal: { command: 'pwd' } },
      { terminal: { command: 'touch made' } },
    ])
    const first = run('run', '--agent', 'scripted', '--approve', 'safe', '--data', data, script)
    expect([first.status, first.stdout]).toEqual([0, expect.stringContaining('Here. ')])
    expect(first.stdout).toContain('[exit 0: ')
    expect(first.stdout).toContain(`${workspace}]`)
    // Nobody can be asked, so that what would ask is refused.
    expect(first.stdout).toContain('nobody is there to ask')
    expect(existsSync(join(workspace, 'made'))).toBe(false)

    const again = run('run', '--continue', '--json', '--data', data, 'still there?')
    const events = again.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(events.at(-1)).toMatchObject({ type: 'turn-end', reason: 'done', text: 'I heard: still there?' })

    const { sessionId } = events.at(-1)
    const byId = run('run', '--session', sessionId, '--data', data, 'and now?')
    expect([byId.status, byId.stdout.trim()]).toEqual([0, 'I heard: and now?'])
    const died = run('run', '--session', sessionId, '--data', data, '[{"die":3}]')
    expect([died.status, died.stderr]).toEqual([1, expect.stringContaining('exit code 3')])

    const named = run('run', '--agent', `node ${agent.args[0]}`, '--data', data, 'hello')
    expect([named.status, named.stdout.trim()]).toEqual([0, 'I heard: hello'])

    const missing = run('run', '--agent', 'scriptd', '--data', data, 'hello')
    expect([missing.status, missing.stderr]).toEqual([2, expect.stringContaining('Did you mean scripted?')])
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
})
