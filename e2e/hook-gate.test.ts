/** `deckhand gate` as a hook of another agent: what has to be asked waits in the window, the rest is answered at once. */
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from './app'
import { answer, card, picture, sessionRow } from './steps'

const program = join(dirname(dirname(fileURLToPath(import.meta.url))), 'bin/deckhand.mjs')

/** Runs the hook as Claude Code does, with the call on standard input. */
function hook(cwd: string, dataDir: string, tool_name: string, tool_input: object, ...words: string[]) {
  const child = spawn(process.execPath, [program, 'gate', '--data', dataDir, ...words], { cwd })
  let said = ''
  let wrong = ''
  child.stdout.on('data', (text) => (said += text))
  child.stderr.on('data', (text) => (wrong += text))
  const event = { hook_event_name: 'PreToolUse', session_id: 's1', cwd, permission_mode: 'default' }
  child.stdin.end(JSON.stringify({ ...event, tool_name, tool_input, tool_use_id: 't' }))
  const ended = new Promise<{ decision?: string; reason?: string; wrong: string }>((resolve) =>
    child.on('close', () => {
      const output = said === '' ? undefined : JSON.parse(said).hookSpecificOutput
      resolve({ decision: output?.permissionDecision, reason: output?.permissionDecisionReason, wrong })
    }),
  )
  return { ended, kill: () => child.kill() }
}

test('a call of another agent asks in the window, and the answer goes back', async ({ deckhand }) => {
  const { window, dataDir, workspace } = deckhand
  writeFileSync(join(workspace, 'notes.txt'), 'hello')
  // The window opens its door a moment after it was drawn.
  await expect(() => expect(existsSync(join(dataDir, 'gateway/tools'))).toBe(true)).toPass()
  expect(await hook(workspace, dataDir, 'Read', { file_path: 'notes.txt' }).ended).toMatchObject({ decision: 'allow' })

  const wanted = hook(workspace, dataDir, 'Bash', { command: 'rm -rf build notes.txt' })
  await sessionRow(window, 'Claude Code (through hooks)').click()
  await expect(card(window, 'rm -rf build notes.txt')).toBeVisible()
  await picture(deckhand, 'hook-gate')
  await answer(card(window, 'rm -rf build notes.txt'), 'Allow once')
  expect(await wanted.ended).toMatchObject({ decision: 'allow', reason: 'You allowed it in Deckhand.' })
  // The agent runs it, not we.
  expect(existsSync(join(workspace, 'notes.txt'))).toBe(true)

  const refused = hook(workspace, dataDir, 'Write', { file_path: 'no.txt', content: 'no' })
  await answer(card(window, 'no.txt'), /^Deny(?! with)/)
  expect(await refused.ended).toMatchObject({ decision: 'deny' })

  // An agent that no longer waits takes its question back.
  const left = hook(workspace, dataDir, 'Bash', { command: 'touch forgotten' })
  await expect(card(window, 'touch forgotten')).toBeVisible()
  left.kill()
  await expect(card(window, 'touch forgotten')).toBeHidden()
})

test('without a window the agent asks itself, and bad input is told', async () => {
  const root = mkdtempSync(join(tmpdir(), 'deckhand-gate-'))
  const [data, workspace] = [join(root, 'data'), join(root, 'workspace')]
  for (const folder of [data, workspace]) mkdirSync(folder)
  try {
    expect(await hook(workspace, data, 'Bash', { command: 'ls' }).ended).toMatchObject({ decision: 'allow' })
    const asked = await hook(workspace, data, 'Bash', { command: 'touch made' }).ended
    expect(asked).toMatchObject({ decision: 'ask', reason: expect.any(String) })
    const free = await hook(workspace, data, 'Write', { file_path: 'a', content: '' }, '--approve', 'workspace').ended
    expect(free).toMatchObject({ decision: 'allow' })
    expect((await hook(workspace, data, 'TodoWrite', { todos: [] }).ended).decision).toBeUndefined()
    const gone = await hook(workspace, data, '', {}).ended
    expect(gone).toMatchObject({ decision: undefined, wrong: expect.stringContaining('tool_name') })
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
})
