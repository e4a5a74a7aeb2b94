import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from './app'
import { bringAxe, expectNoBarriers } from './barriers'
import { calls, says } from './scripted-model'
import { everySize, picture, say, toolLine } from './steps'

test('hooks of a folder run only after their words were trusted', async ({ deckhand, model }) => {
  const { window, workspace } = deckhand
  const command = 'touch hook-ran; echo "No listing here" >&2; exit 2'
  mkdirSync(join(workspace, '.claude'))
  writeFileSync(
    join(workspace, '.claude/settings.json'),
    JSON.stringify({ hooks: { PreToolUse: [{ matcher: 'List', hooks: [{ type: 'command', command }] }] } }),
  )
  model.push(calls('List', { path: '.' }), says('First.'), calls('List', { path: '.' }), says('Second.'))
  await say(window, 'List')
  await expect(window.getByText('First.')).toBeVisible()
  expect(existsSync(join(workspace, 'hook-ran'))).toBe(false)
  const notice = window.getByRole('status').filter({ hasText: 'This folder includes 1 hook' })
  await notice.getByRole('button', { name: 'Review' }).click()
  const dialog = window.getByRole('dialog', { name: 'Trust this folder’s hooks?' })
  await expect(dialog.getByText(command)).toBeVisible()
  await picture(deckhand, 'hooks')
  await dialog.getByRole('button', { name: 'Trust', exact: true }).click()
  await expect(notice).toHaveCount(0)
  await say(window, 'List again')
  await expect(window.getByText('Second.')).toBeVisible()
  expect(existsSync(join(workspace, 'hook-ran'))).toBe(true)
  await expect(toolLine(window, 'denied')).toHaveCount(1)
  expect(JSON.stringify(model.requests.at(-1)?.body.messages)).toContain('No listing here')

  // Three things at once are one line, and the chat keeps its room also at 200 % zoom.
  const other = { PreToolUse: [{ matcher: 'Read', hooks: [{ type: 'command', command: 'true' }] }] }
  writeFileSync(join(workspace, '.claude/settings.json'), JSON.stringify({ hooks: other }))
  writeFileSync(join(workspace, 'AGENTS.md'), 'Use tabs.\n')
  writeFileSync(
    join(workspace, '.mcp.json'),
    JSON.stringify({ mcpServers: { notes: { command: 'node', args: ['x'] } } }),
  )
  model.push(says('Third.'))
  await say(window, 'And now?')
  await expect(window.getByText('Third.')).toBeVisible()
  const line = window
    .getByRole('status')
    .filter({ hasText: 'This folder includes 1 MCP server, instructions (AGENTS.md), and changed hooks.' })
  await expect(line).toBeVisible()
  await everySize(deckhand, 'folder-notices')
  await window.setViewportSize({ width: 640, height: 400 })
  const roomOf = async () => (await window.getByRole('region', { name: 'Conversation' }).boundingBox())?.height ?? 0
  expect(await roomOf()).toBeGreaterThan(120)
  await line.getByRole('button', { name: 'Show' }).press('Enter')
  const list = window.getByRole('list', { name: 'What this folder includes' })
  await expect(list.getByRole('listitem')).toHaveCount(3)
  await picture(deckhand, 'folder-notices-open')
  await bringAxe(window)
  await expectNoBarriers(deckhand, 'what a folder brings')
  await list.getByRole('button', { name: 'Follow them' }).click()
  await expect(list.getByRole('listitem')).toHaveCount(2)
  await list.getByRole('button', { name: 'Not now' }).first().click()
  // What is left is said in full.
  await expect(
    window.getByRole('status').filter({ hasText: 'hooks have changed since you trusted them' }),
  ).toBeVisible()
})
