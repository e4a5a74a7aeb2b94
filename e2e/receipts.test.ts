import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Locator, Page } from 'playwright'
import { expect, test } from './app'
import { calls, says } from './scripted-model'
import { chooseMode, composer, lastRequest, picture, say } from './steps'

/** What stands under the line of a call. */
const receiptOf = (window: Page, gist: string): Locator =>
  window.locator('.chat-tool').filter({ hasText: gist }).locator('.receipt')

const dialog = (window: Page, name: string): Locator => window.getByRole('dialog', { name })

test('a command leaves a receipt; what it did is undone, redone, and the agent is told', async ({
  deckhand,
  model,
}) => {
  const { window, workspace } = deckhand
  const at = (name: string): string => join(workspace, name)
  writeFileSync(at('notes.txt'), 'one\ntwo\nthree\n')
  writeFileSync(at('old.txt'), 'old words\n')
  writeFileSync(at('.env'), 'TOKEN=first\n')
  await chooseMode(window, 'Allow everything')

  writeFileSync(
    at('tidy.sh'),
    "sed -i 's/two/2/' notes.txt\nrm old.txt\nmkdir -p made\necho new > made/new.txt\necho TOKEN=2 > .env\n",
  )
  model.push(calls('Bash', { command: 'sh tidy.sh' }), says('Done.'))
  await say(window, 'Tidy up')
  await expect(window.getByText('Done.')).toBeVisible({ timeout: 60_000 })

  const receipt = receiptOf(window, 'sh tidy.sh')
  await expect(receipt).toContainText('2 files changed, 1 created, 1 deleted')
  await receipt.getByRole('button', { name: /files changed/ }).click()
  await receipt.getByRole('button', { name: 'changed notes.txt' }).click()
  await expect(receipt.getByRole('region', { name: 'Changes in notes.txt' })).toContainText('2')
  await expect(receipt.getByText('.env was not kept (it looks like a secret)')).toBeVisible()
  await picture(deckhand, 'receipt-on-a-card')

  // What undo would do is seen before it is done.
  await receipt.getByRole('button', { name: 'Undo 4 of 5…' }).click()
  const undo = dialog(window, 'Undo these changes?')
  await expect(undo.getByRole('region', { name: 'Changes in old.txt' })).toContainText('old words')
  await picture(deckhand, 'receipt-undo-preview')
  await undo.getByRole('button', { name: 'Undo 4 files' }).click()
  await expect(undo).toBeHidden()
  await expect(receipt).toContainText('3 undone')
  expect([readFileSync(at('notes.txt'), 'utf8'), readFileSync(at('old.txt'), 'utf8'), existsSync(at('made'))]).toEqual([
    'one\ntwo\nthree\n',
    'old words\n',
    false,
  ])
  expect(readFileSync(at('.env'), 'utf8')).toBe('TOKEN=2\n')

  // One file comes back by itself, with the keyboard alone.
  await receipt.getByRole('button', { name: 'Redo: notes.txt' }).focus()
  await window.keyboard.press('Enter')
  const redo = dialog(window, 'Redo these changes?')
  await expect(redo.getByRole('button', { name: 'Redo 1 file' })).toBeEnabled()
  await redo.getByRole('button', { name: 'Redo 1 file' }).press('Enter')
  await expect(redo).toBeHidden()
  await expect.poll(() => readFileSync(at('notes.txt'), 'utf8')).toBe('one\n2\nthree\n')

  model.push(says('I see.'))
  await say(window, 'What now?')
  await expect(window.getByText('I see.')).toBeVisible()
  expect(lastRequest(deckhand)).toContain('The user took back what')
  expect(lastRequest(deckhand)).toContain('made/new.txt')
})

test('a later edit stands in the way of undo, and is kept when the user insists', async ({ deckhand, model }) => {
  const { window, workspace } = deckhand
  const file = join(workspace, 'plan.md')
  writeFileSync(file, '# Plan\n\nthe first words\n')
  await chooseMode(window, 'Allow everything')
  model.push(calls('Read', { path: 'plan.md' }))
  model.push(
    calls('Edit', { path: 'plan.md', oldString: 'the first words', newString: 'words of the agent' }),
    says('Edited.'),
  )
  await say(window, 'Edit the plan')
  await expect(window.getByText('Edited.')).toBeVisible({ timeout: 60_000 })
  writeFileSync(file, '# Plan\n\nmy own later words\n')

  await window.getByRole('button', { name: 'Changes in this session' }).click()
  const entry = window.getByRole('article', { name: 'plan.md' })
  await entry.getByRole('button', { name: /1 file changed/ }).click()
  await entry.getByRole('button', { name: 'Undo…' }).click()
  const undo = dialog(window, 'Undo these changes?')
  await expect(undo.getByRole('region', { name: 'Conflict: plan.md' })).toContainText('plan.md was changed since then')
  await expect(undo.getByRole('button', { name: /^Undo/ })).toBeDisabled()
  await picture(deckhand, 'receipt-in-the-way')
  await undo.getByRole('checkbox').check()
  await undo.getByRole('button', { name: 'Undo 1 file' }).click()
  await expect(undo).toBeHidden()
  expect(readFileSync(file, 'utf8')).toContain('the first words')

  await entry.getByRole('button', { name: 'Redo…' }).click()
  await dialog(window, 'Redo these changes?').getByRole('button', { name: 'Redo 1 file' }).click()
  await expect.poll(() => readFileSync(file, 'utf8')).toContain('my own later words')
  await picture(deckhand, 'receipt-changes-page')
  await window.getByRole('button', { name: 'Back to chat' }).click()
  await expect(composer(window)).toBeVisible()
})

test('what a command left running is told with its port, and everything is there after a restart', async ({
  deckhand,
  model,
}) => {
  const { window } = deckhand
  await window.getByRole('button', { name: 'Changes in this session' }).click()
  await expect(window.getByRole('heading', { name: 'No changes yet' })).toBeVisible()
  await picture(deckhand, 'receipt-nothing-yet')
  await window.getByRole('button', { name: 'Back to chat' }).click()
  await chooseMode(window, 'Allow everything')
  const server =
    "require('net').createServer().listen(0,'127.0.0.1',function(){require('fs').writeFileSync('port',''+this.address().port)})"
  const command = `exec "${process.execPath}" -e "${server}"`
  model.push(calls('Bash', { command, background: true }), says('It runs.'))
  await say(window, 'Start the server')
  await expect(window.getByText('It runs.')).toBeVisible({ timeout: 60_000 })
  const port = join(deckhand.workspace, 'port')
  await expect.poll(() => existsSync(port) && readFileSync(port, 'utf8') !== '', { timeout: 30_000 }).toBe(true)
  const receipt = window.locator('.receipt')
  await expect(receipt).toContainText(`1 process left running · port ${readFileSync(port, 'utf8')} open`, {
    timeout: 40_000,
  })
  await receipt.getByRole('button', { name: /left running/ }).click()
  await expect(receipt.getByText('open to this machine only')).toBeVisible()
  await picture(deckhand, 'receipt-left-running')

  const again = await deckhand.relaunch()
  await again.getByRole('button', { name: 'Changes in this session' }).click()
  const entry = again.getByRole('article', { name: /createServer/ })
  await expect(entry).toContainText('1 file created')
  await expect(entry).not.toContainText('left running')
})
