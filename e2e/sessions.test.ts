import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from './app'
import { calls, says } from './scripted-model'
import { composer, picture, say, sessionRow } from './steps'

const here = dirname(fileURLToPath(import.meta.url))

test('sessions are searched, renamed, exported, deleted and brought back', async ({ deckhand, model }) => {
  const { app, window, dataDir } = deckhand
  model.push(says('The lighthouse stands on the northern cape.'))
  await say(window, 'Where is the lighthouse?')
  await expect(window.getByText('northern cape')).toBeVisible()
  await window.getByRole('button', { name: 'New session', exact: true }).click()
  await expect(window.getByRole('heading', { name: 'What would you like to do?' })).toBeVisible()
  model.push(calls('Bash', { command: 'ls' }), says('Nothing is here.'))
  await say(window, 'List the files')
  await expect(window.getByText('Nothing is here.')).toBeVisible()

  // Words of an answer lead to the answer, in whatever session it is.
  await window.keyboard.press('Control+Shift+F')
  const search = window.getByRole('searchbox', { name: 'Search all sessions' })
  await expect(search).toBeFocused()
  await search.fill('northern')
  const hits = window.getByRole('region', { name: 'Messages' })
  await expect(hits.locator('mark')).toHaveText('northern')
  await picture(deckhand, 'search')
  await hits.getByRole('button').first().click()
  await expect(window.getByRole('heading', { name: 'Where is the lighthouse?', level: 1 })).toBeVisible()
  await expect(window.locator('[data-flash]')).toContainText('northern cape')
  await search.fill('zebra')
  await expect(window.getByText('Nothing found for “zebra”.')).toBeVisible()
  await search.press('Escape')

  await sessionRow(window, 'lighthouse').press('F2')
  await window.getByLabel('Title').fill('About the cape')
  await window.getByLabel('Title').press('Enter')
  await expect(sessionRow(window, 'About the cape')).toBeVisible()

  for (const [format, extension] of [
    ['Markdown', 'md'],
    ['JSON', 'json'],
  ] as const) {
    const file = join(dataDir, `exported.${extension}`)
    await app.evaluate(({ dialog }, filePath) => {
      dialog.showSaveDialog = async () => ({ canceled: false, filePath })
    }, file)
    await sessionRow(window, 'About the cape').hover()
    await window.getByRole('button', { name: 'More for About the cape' }).click()
    await window.getByRole('menuitem', { name: `Export as ${format}…` }).click()
    await expect(window.getByText(`Saved to ${file}`, { exact: true })).toBeVisible()
  }
  const markdown = readFileSync(join(dataDir, 'exported.md'), 'utf8')
  expect(markdown).toContain('# About the cape')
  expect(markdown).toContain('## You\n\nWhere is the lighthouse?')
  const json = JSON.parse(readFileSync(join(dataDir, 'exported.json'), 'utf8'))
  expect(json.session.title).toBe('About the cape')
  expect(json.messages).toHaveLength(2)

  await sessionRow(window, 'About the cape').hover()
  await window.getByRole('button', { name: 'More for About the cape' }).click()
  await window.getByRole('menuitem', { name: 'Delete' }).click()
  await expect(sessionRow(window, 'About the cape')).toHaveCount(0)
  await window.getByRole('button', { name: 'Undo' }).click()
  await expect(sessionRow(window, 'About the cape')).toBeVisible()
  await expect(window.getByText('northern cape')).toBeVisible()
})

test('a session of 10,000 messages opens, scrolls, is searched and goes on', async ({ deckhand, model }) => {
  await expect(composer(deckhand.window)).toBeVisible()
  await deckhand.quit()
  const electron = join(dirname(here), 'node_modules/electron/dist/electron')
  execFileSync(electron, [join(here, 'long-session.mjs'), deckhand.dataDir, '10000'], {
    env: { ...process.env, ELECTRON_RUN_AS_NODE: '1' },
  })
  const window = await deckhand.relaunch()
  await sessionRow(window, 'A long session').click()
  await expect(window.getByText('Answer number 9999.')).toBeVisible()
  const list = window.getByTestId('virtuoso-scroller')
  await list.hover()
  await expect(async () => {
    await window.mouse.wheel(0, -20_000)
    await expect(window.getByText(/^Question number 9[0-7]\d\d$/).first()).toBeVisible({ timeout: 1000 })
  }).toPass({ timeout: 60_000 })
  expect(await window.locator('[data-message]').count()).toBeLessThan(200)
  await picture(deckhand, 'long-session')
  await window.getByRole('button', { name: 'Jump to latest' }).click()
  await expect(window.getByText('Answer number 9999.')).toBeVisible()

  await window.getByRole('searchbox', { name: 'Search all sessions' }).fill('lighthouse')
  await window.getByRole('region', { name: 'Messages' }).getByRole('button').first().click()
  await expect(window.locator('[data-flash]')).toContainText('Where is the lighthouse?')
  // So much does not fit the model, which is asked for a summary first.
  model.push(says('They asked ten thousand things.'), says('And on it goes.'))
  await say(window, 'One more')
  await expect(window.getByText(/^\d+ older messages were summarized/)).toBeVisible()
  await expect(window.getByText('And on it goes.')).toBeVisible()
})

test('a new session is not begun beside one that nothing was begun in', async ({ deckhand, model }) => {
  const { window } = deckhand
  const rows = window.getByRole('navigation', { name: 'Sessions' }).locator('[data-row]')
  await expect(rows).toHaveCount(1)
  await composer(window).blur()
  await window.keyboard.press('Control+N')
  await expect(composer(window)).toBeFocused()
  await expect(rows).toHaveCount(1)
  model.push(says('Good morning.'))
  await say(window, 'Hello')
  await expect(window.getByText('Good morning.')).toBeVisible()
  await window.keyboard.press('Control+N')
  await expect(rows).toHaveCount(2)
  await window.keyboard.press('Control+N')
  await expect(composer(window)).toBeFocused()
  await expect(rows).toHaveCount(2)
})
