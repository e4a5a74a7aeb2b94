import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from './app'
import { bringAxe, expectNoBarriers } from './barriers'
import { calls, says } from './scripted-model'
import { chooseMode, composer, picture, say } from './steps'

test('a session goes back to a message: chat and files, with what was changed by hand asked about, and forward again', async ({
  deckhand,
  model,
}) => {
  const { window, workspace } = deckhand
  const at = (name: string): string => join(workspace, name)
  const text = (name: string): string => readFileSync(at(name), 'utf8')
  writeFileSync(at('menu.txt'), 'soup\n')
  await chooseMode(window, 'Allow everything')
  model.push(calls('Bash', { command: 'echo fish > menu.txt' }), says('Fish it is.'))
  await say(window, 'Make it fish')
  await expect(window.getByText('Fish it is.')).toBeVisible({ timeout: 60_000 })
  model.push(calls('Bash', { command: 'echo cake > menu.txt; echo open > sign.txt' }), says('Cake it is.'))
  await say(window, 'Make it cake')
  await expect(window.getByText('Cake it is.')).toBeVisible()
  await expect(window.locator('.receipt')).toHaveCount(2)
  writeFileSync(at('sign.txt'), 'closed\n')

  // What would change is shown first; one file was changed by hand.
  const message = window.getByRole('article', { name: 'You' }).filter({ hasText: 'Make it cake' })
  await message.hover()
  await message.getByRole('button', { name: 'Go back to here…' }).click()
  const dialog = window.getByRole('dialog', { name: 'Go back to before this message?' })
  await expect(dialog.getByRole('region', { name: 'Changes in menu.txt' })).toContainText('fish')
  const conflict = dialog.getByRole('region', { name: 'Conflict: sign.txt' })
  await expect(conflict).toContainText('sign.txt was changed since then')
  await picture(deckhand, 'rewind-preview')
  await bringAxe(window)
  await expectNoBarriers(deckhand, 'what going back would do')
  await dialog.getByRole('radio', { name: 'Files only' }).click()
  await expect(dialog.getByRole('button', { name: 'Restore 1 file' })).toBeEnabled()
  await dialog.getByRole('radio', { name: 'Chat and files' }).click()
  await conflict.getByRole('checkbox').check()
  await dialog.getByRole('button', { name: 'Remove 3 messages, restore 2 files' }).press('Enter')
  await expect(dialog).toBeHidden()
  expect(text('menu.txt')).toBe('fish\n')
  expect(() => text('sign.txt')).toThrow('ENOENT')
  await expect(window.getByText('Cake it is.')).toBeHidden()
  await expect(composer(window)).toHaveValue('Make it cake')
  const notice = window.getByRole('article', { name: 'Notice' })
  await expect(notice).toContainText('You went back to this point (3 messages, 2 files)')
  await picture(deckhand, 'rewind-done')

  const again = await deckhand.relaunch()
  await again.getByRole('article', { name: 'Notice' }).getByRole('button', { name: 'Undo' }).click()
  await expect(again.getByText('Cake it is.')).toBeVisible()
  await expect(again.getByText('You undid going back.')).toBeVisible()
  await expect.poll(() => text('menu.txt')).toBe('cake\n')
  expect(text('sign.txt')).toBe('closed\n')
})
