import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from './app'
import { calls, says } from './scripted-model'
import { picture, say, toolLine } from './steps'

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
  const notice = window.getByRole('status').filter({ hasText: 'This folder brings 1 hook' })
  await notice.getByRole('button', { name: 'Review' }).click()
  const dialog = window.getByRole('dialog', { name: 'Trust the hooks of this folder?' })
  await expect(dialog.getByText(command)).toBeVisible()
  await picture(deckhand, 'hooks')
  await dialog.getByRole('button', { name: 'Trust', exact: true }).click()
  await expect(notice).toHaveCount(0)
  await say(window, 'List again')
  await expect(window.getByText('Second.')).toBeVisible()
  expect(existsSync(join(workspace, 'hook-ran'))).toBe(true)
  await expect(toolLine(window, 'denied')).toHaveCount(1)
  expect(JSON.stringify(model.requests.at(-1)?.body.messages)).toContain('No listing here')
})
