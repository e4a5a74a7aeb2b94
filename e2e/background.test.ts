import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from './app'
import { calls, gate, says } from './scripted-model'
import { chooseMode, openPage, pane, picture, say, screenOf, themes } from './steps'

const startAgain = (dataDir: string) =>
  promisify(execFile)(process.execPath, [
    join(import.meta.dirname, '../scripts/start.mjs'),
    `--user-data-dir=${dataDir}`,
  ])

test('a closed window leaves the agent at work, asked once, and another start shows it again', async ({
  deckhand,
  model,
}) => {
  const { app, window } = deckhand
  const isShown = () => app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.isVisible())
  const close = () => app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.close())
  await app.evaluate(({ dialog }) => {
    const asked: string[] = []
    Object.assign(globalThis, { asked, response: 2 })
    dialog.showMessageBox = (async (_window: unknown, options: Electron.MessageBoxOptions) => {
      asked.push(`${options.message} ${options.detail} [${options.buttons?.join(', ')}]`)
      return { response: (globalThis as unknown as { response: number }).response, checkboxChecked: false }
    }) as typeof dialog.showMessageBox
  })
  const asked = () => app.evaluate(() => (globalThis as unknown as { asked: string[] }).asked)

  await chooseMode(window, 'Allow everything')
  const halfway = gate()
  model.push(calls('Bash', { command: 'for i in 1 2 3 4 5 6 7 8 9; do echo tick $i; sleep 1; done', background: true }))
  model.push([{ text: 'It counts' }, { gate: halfway }, { text: ' to nine.' }])
  await say(window, 'Count')
  await expect(window.getByText('It counts')).toBeVisible({ timeout: 60_000 })

  // Cancel leaves everything as it is.
  await close()
  await expect.poll(asked).toHaveLength(1)
  expect((await asked())[0]).toMatch(
    /^Keep Deckhand running in the background\? 1 session is working, 1 process is running\..*\[Keep running, Quit, Cancel\]$/s,
  )
  expect(await isShown()).toBe(true)
  await app.evaluate(() => Object.assign(globalThis, { response: 0 }))
  await close()
  await expect.poll(isShown).toBe(false)

  // The turn ends and the program counts on behind the closed window.
  halfway.open()
  await startAgain(deckhand.dataDir)
  await expect.poll(isShown).toBe(true)
  await expect(window.getByText('It counts to nine.')).toBeVisible()
  await expect(screenOf(pane(window, /for i in/))).toContainText('tick 9', { timeout: 30_000 })

  // It is not asked again, and the answer is among the settings.
  await close()
  await expect.poll(isShown).toBe(false)
  expect(await asked()).toHaveLength(2)
  await startAgain(deckhand.dataDir)
  await expect.poll(isShown).toBe(true)
  await openPage(window, 'Settings')
  await expect(window.getByLabel('When the window is closed')).toContainText('Keep running')
  await picture(deckhand, 'settings-leaving')
})

test('a key opens the prompt box, which begins a session; one that is taken is said', async ({ deckhand, model }) => {
  const { app, window } = deckhand
  await app.evaluate(({ globalShortcut }) => {
    const held = new Map<string, () => void>()
    Object.assign(globalThis, { held })
    globalShortcut.register = (key: string, run: () => void) => key !== 'Alt+Space' && Boolean(held.set(key, run))
    globalShortcut.isRegistered = (key: string) => held.has(key)
    globalShortcut.unregister = (key: string) => void held.delete(key)
  })
  await openPage(window, 'Settings')
  const choose = async (key: string) => {
    await window.getByLabel('Prompt box', { exact: true }).click()
    await window.getByRole('option', { name: key, exact: true }).click()
  }
  await choose('Alt+Space')
  await expect(
    window.locator('.ui-toast-text').filter({ hasText: /^Alt\+Space cannot open the prompt box/ }),
  ).toBeVisible()
  await choose('Ctrl+Alt+Space')
  const press = () =>
    app.evaluate(() => (globalThis as unknown as { held: Map<string, () => void> }).held.get('Control+Alt+Space')?.())
  await expect
    .poll(() => app.evaluate(() => [...(globalThis as unknown as { held: Map<string, unknown> }).held.keys()]))
    .toEqual(['Control+Alt+Space'])

  const [box] = await Promise.all([app.waitForEvent('window'), press()])
  const field = box.getByLabel('Message to Deckhand')
  await expect(field).toBeFocused()
  await expect(box.getByText('New session in workspace')).toBeVisible()
  for (const theme of themes) {
    await box.emulateMedia({ colorScheme: theme })
    await box.screenshot({ path: `test-results/screens/prompt-box-${theme}.png` })
  }
  // It reaches nothing but its own one call, and goes nowhere.
  const reach = await box.evaluate(async () => {
    const page = globalThis as unknown as {
      deckhand?: unknown
      deckhandPrompt: { ask(wish: unknown): Promise<unknown> }
      open(url: string): unknown
    }
    return {
      window: page.deckhand === undefined,
      box: Object.keys(page.deckhandPrompt),
      opened: page.open('https://example.com'),
      refused: await page.deckhandPrompt.ask({ type: 'send' }),
    }
  })
  expect(reach).toEqual({ window: true, box: ['ask'], opened: null, refused: { error: 'This cannot be sent.' } })

  model.push(says('Right away.'))
  await field.fill('Water the plants')
  const closed = box.waitForEvent('close')
  // The box may be gone before the key is up.
  await field.press('Control+Enter').catch(() => {})
  await closed
  await expect(window.getByText('Right away.')).toBeVisible()
  await expect(window.getByRole('article', { name: 'You' })).toContainText('Water the plants')
})
