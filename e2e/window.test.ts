import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright'
import { expect, test } from './app'
import { bringAxe, expectNoBarriers } from './barriers'
import { calls, says } from './scripted-model'
import { chooseMode, everySize, picture, say, sessionRow, toolLine } from './steps'

const group = (window: Page, name: string) =>
  window.getByRole('navigation', { name: 'Sessions' }).getByRole('region', { name, exact: true })

test('calls in a row fold into one line, with failures open and what changed below it', async ({ deckhand, model }) => {
  const { window, workspace } = deckhand
  writeFileSync(join(workspace, 'notes.txt'), 'one\ntwo\n')
  await chooseMode(window, 'Allow everything')
  model.push(
    ...[...Array(9)].map((_, at) => calls('Bash', { command: at === 5 ? 'echo broken; exit 3' : `echo step ${at}` })),
    calls('Write', { path: 'made.txt', content: 'made\n' }),
    says('All done.'),
  )
  await say(window, 'Do all of it')
  await expect(window.getByText('All done.')).toBeVisible({ timeout: 60_000 })
  const line = window.getByRole('button', { name: 'Ran 9 commands, edited 1 file, 1 failed' })
  await expect(line).toHaveAttribute('aria-expanded', 'false')
  // The failure is open, what went well is not in the way.
  await expect(toolLine(window, 'exit 3')).toHaveAttribute('aria-expanded', 'true')
  await expect(toolLine(window, 'echo step 1')).toHaveCount(0)
  await expect(window.locator('.chat-run-changes')).toContainText('made.txt')
  await bringAxe(window)
  await expectNoBarriers(deckhand, 'folded calls')
  await picture(deckhand, 'window-folded')
  await line.focus()
  await window.keyboard.press('Enter')
  await expect(toolLine(window, 'echo step 1')).toBeVisible()
  await expect(toolLine(window, 'made.txt')).toBeVisible()
  await picture(deckhand, 'window-unfolded')
  await window.keyboard.press('Enter')
  await expect(toolLine(window, 'echo step 8')).toHaveCount(0)
})

test('sessions stand by folder, can be pinned, renamed and archived, and show what they need', async ({
  deckhand,
  model,
}) => {
  const { window, workspace } = deckhand
  const shop = join(workspace, '..', 'shop')
  mkdirSync(shop)
  const refused = [{ status: 401, body: { error: { message: 'Incorrect API key provided' } } }] as const
  model.push(says('Hello.'), calls('Bash', { command: 'touch asked.txt' }), refused)
  await say(window, 'First thing')
  await expect(window.getByText('Hello.')).toBeVisible()
  await expect(group(window, 'workspace')).toContainText('First thing')

  // A new session starts where the user is; another folder is chosen from the menu.
  await window.keyboard.press('Control+n')
  await expect(window.getByRole('heading', { name: 'What would you like to do?' })).toBeVisible()
  await deckhand.app.evaluate(({ dialog }, folder) => {
    dialog.showOpenDialog = () => Promise.resolve({ canceled: false, filePaths: [folder] })
  }, shop)
  await window.getByRole('button', { name: /^Workspace: workspace/ }).click()
  await expect(window.getByRole('menuitemcheckbox', { name: /^workspace/ })).toBeVisible()
  await deckhand.screenshot('window-folders')
  await window.getByRole('menuitem', { name: 'Choose folder…' }).click()
  await expect(group(window, 'shop')).toBeVisible()
  await say(window, 'Second thing')
  const second = sessionRow(window, 'Second thing')
  await expect(second).toContainText('1')
  await sessionRow(window, 'First thing').click()
  await everySize(deckhand, 'window-sidebar')
  await bringAxe(window)
  await expectNoBarriers(deckhand, 'sidebar with folders')

  await group(window, 'shop').hover()
  await group(window, 'shop').getByRole('button', { name: 'Start session in shop' }).click()
  await expect(window.getByRole('button', { name: /^Workspace: shop/ })).toBeVisible()
  await say(window, 'Third thing')
  await expect(window.getByRole('article').getByRole('alert')).toBeVisible()
  await sessionRow(window, 'First thing').click()
  await expect(sessionRow(window, 'Third thing').getByRole('img', { name: 'failed' })).toBeVisible()

  // By keyboard: pinned to the top, then put away, found again, and brought back.
  const menu = async (title: string, item: string) => {
    await window.getByRole('button', { name: `More for ${title}` }).focus()
    await window.keyboard.press('Enter')
    await window.getByRole('menuitem', { name: item, exact: true }).press('Enter')
  }
  await menu('First thing', 'Pin')
  await expect(group(window, 'Pinned')).toContainText('First thing')
  await menu('First thing', 'Archive')
  await expect(group(window, 'Pinned')).toBeHidden()
  await expect(sessionRow(window, 'First thing')).toBeHidden()
  await group(window, 'Archived')
    .getByRole('button', { name: /^Archived/ })
    .press('Enter')
  await expect(group(window, 'Archived')).toContainText('First thing')
  await menu('First thing', 'Unarchive')
  await expect(group(window, 'Pinned')).toContainText('First thing')
  const again = await deckhand.relaunch()
  await expect(group(again, 'Pinned')).toContainText('First thing')
})

test('settings are found by section and by search, and a key can be changed', async ({ deckhand }) => {
  const { window } = deckhand
  await expect(window.getByRole('heading', { name: 'What would you like to do?' })).toBeVisible()
  await window.keyboard.press('Control+,')
  const sections = window.getByRole('navigation', { name: 'Settings' })
  await expect(sections.getByRole('button', { name: 'General' })).toHaveAttribute('aria-current', 'true')
  await everySize(deckhand, 'window-settings')
  await sections.getByRole('button', { name: 'Key bindings' }).click()
  await expect(sections.getByRole('button', { name: 'Key bindings' })).toHaveAttribute('aria-current', 'true')

  const change = window.getByRole('button', { name: 'Change keys for Inbox' })
  await change.press('Enter')
  await window.keyboard.press('Control+k')
  await expect(window.getByText('Ctrl+K is already used by “Command palette”.')).toBeVisible()
  await picture(deckhand, 'window-keys')
  await change.press('Enter')
  await window.keyboard.press('Control+Shift+y')
  await expect(window.getByRole('button', { name: 'Reset Inbox' })).toBeVisible()
  await window.keyboard.press('Control+Shift+Y')
  await expect(window.getByRole('heading', { name: 'Inbox', level: 1 })).toBeVisible()

  await window.keyboard.press('Control+,')
  await window.getByRole('searchbox', { name: 'Search settings' }).fill('shell')
  await expect(window.getByLabel('Shell')).toBeVisible()
  await expect(window.getByLabel('Font size')).toBeHidden()
  await bringAxe(window)
  await expectNoBarriers(deckhand, 'settings, searched')
  await picture(deckhand, 'window-settings-search')
  await window.getByRole('searchbox', { name: 'Search settings' }).fill('no such thing')
  await expect(window.getByText('No settings match “no such thing”.')).toBeVisible()
})

test('the deck opens with its first terminal, side by side or as tabs, in the order they are dragged to', async ({
  deckhand,
}) => {
  const { window } = deckhand
  await expect(window.getByRole('heading', { name: 'What would you like to do?' })).toBeVisible()
  await expect(window.getByRole('region', { name: 'Terminals' })).toBeHidden()
  await everySize(deckhand, 'window-first')
  await window.keyboard.press('Control+Shift+T')
  const panes = window.getByRole('region', { name: 'Terminals' }).getByRole('article')
  await expect(panes).toHaveCount(1)
  await window.getByRole('button', { name: 'New terminal' }).click()
  await expect(panes).toHaveCount(2)
  const order = () => panes.evaluateAll((all) => all.map((each) => (each as HTMLElement).dataset.process))
  const before = await order()
  await panes.last().locator('.terminal-head').dragTo(panes.first())
  await expect.poll(order).toEqual([...before].reverse())
  // The same by keys, from within the terminal, which keeps the keyboard.
  const input = panes.first().getByRole('textbox', { name: /^Terminal: / })
  await input.focus()
  await window.keyboard.press('Alt+Shift+ArrowDown')
  await expect.poll(order).toEqual(before)
  await expect(panes.last().getByRole('textbox', { name: /^Terminal: / })).toBeFocused()
  await window.keyboard.press('Alt+Shift+ArrowDown')
  await window.keyboard.press('Alt+Shift+ArrowUp')
  await expect.poll(order).toEqual([...before].reverse())
  await window.getByRole('button', { name: 'Layout' }).click()
  await window.getByRole('menuitemcheckbox', { name: 'Side by side' }).click()
  await picture(deckhand, 'window-split')
  await window.getByRole('separator', { name: 'Width of the deck' }).focus()
  await window.keyboard.press('ArrowLeft')
  await picture(deckhand, 'window-splitter')
  await window.getByRole('button', { name: 'Layout' }).click()
  await window.getByRole('menuitemcheckbox', { name: 'Tabs' }).click()
  await expect(window.getByRole('tab')).toHaveCount(2)
  const tabs = () => window.getByRole('tab').evaluateAll((all) => all.map((each) => (each as HTMLElement).dataset.tab))
  await window.getByRole('tab').first().click()
  await window.keyboard.press('Alt+Shift+ArrowDown')
  await expect.poll(tabs).toEqual(before)
  await bringAxe(window)
  await expectNoBarriers(deckhand, 'terminals in tabs')
  await picture(deckhand, 'window-tabs')
})
