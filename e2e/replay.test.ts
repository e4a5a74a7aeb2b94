import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Page } from 'playwright'
import { expect, test } from './app'
import { bringAxe, expectNoBarriers } from './barriers'
import { calls, says } from './scripted-model'
import { chooseMode, pane, picture, say, screenOf, setTheme, themes, typeInto } from './steps'

const screen = (window: Page, command: string | RegExp) =>
  window
    .getByRole('region', { name: 'Terminals' })
    .getByRole('article', { name: command })
    .locator('.xterm-accessibility-tree')

test('a session is played again, with the slider and the keyboard, and from a file without network', async ({
  deckhand,
  model,
}) => {
  const { window, workspace } = deckhand
  await chooseMode(window, 'Allow everything')
  const command = `printf 'name? '; read n; stty -echo; printf 'password? '; read p; stty echo; echo; echo "hello $n"; sleep 1; echo bye`
  model.push(calls('Bash', { command, background: true }), says('It is waiting for you.'))
  await say(window, 'Ask me')
  await expect(window.getByText('It is waiting for you.')).toBeVisible({ timeout: 60_000 })
  const terminal = pane(window, /printf/)
  await expect(screenOf(terminal)).toContainText('name?')
  await typeInto(terminal, 'Ada\n')
  await expect(terminal.getByText('The agent is locked out')).toBeVisible()
  model.push(says('It has ended.'))
  await typeInto(terminal, 'hunter22\n')
  await expect(screenOf(terminal)).toContainText('bye')
  await expect(window.getByText('It has ended.')).toBeVisible()

  await window.getByRole('button', { name: 'Replay this session' }).click()
  const slider = window.getByRole('slider', { name: 'Position' })
  await expect(slider).toBeVisible()
  // At its beginning nothing but the request is there.
  await expect(window.getByRole('article', { name: 'You' })).toContainText('Ask me')
  await expect(window.getByText('It is waiting for you.')).toBeHidden()
  await slider.press('End')
  await expect(screen(window, /printf/)).toContainText('hello Ada')
  await expect(screen(window, /printf/)).toContainText('bye')
  await expect(window.getByText('It is waiting for you.')).toBeVisible()
  await picture(deckhand, 'replay-end')
  await bringAxe(window)
  await expectNoBarriers(deckhand, 'replay')
  // It plays and pauses; at the moment at which the name was typed, that is said.
  await slider.press('Home')
  await expect(screen(window, /printf/)).toBeHidden()
  await window.keyboard.press('+')
  await expect(window.getByRole('combobox', { name: 'Speed' })).toHaveValue('2')
  await window.keyboard.press('Space')
  await expect(window.getByRole('button', { name: 'Pause', exact: true })).toBeVisible()
  await expect.poll(() => slider.inputValue().then(Number)).toBeGreaterThan(100)
  await window.keyboard.press('Space')
  await expect(window.getByRole('button', { name: 'Play', exact: true })).toBeVisible()
  const caption = window.locator('.replay-typed').filter({ hasText: 'You typed Ada⏎' })
  const length = Number(await slider.getAttribute('max'))
  // In small steps, and each drawn: the password was typed a moment later, and takes its place.
  for (let position = 0; position < length && !(await caption.isVisible()); position += 50) {
    await slider.fill(String(position))
    await window.evaluate(() => new Promise((drawn) => requestAnimationFrame(drawn)))
  }
  await expect(caption).toBeVisible()
  await expect(screen(window, /printf/)).toContainText('Ada')
  await expect(screen(window, /printf/)).not.toContainText('bye')
  await picture(deckhand, 'replay-typing')

  const file = join(workspace, 'replay.html')
  await deckhand.app.evaluate(({ dialog }, path) => {
    dialog.showSaveDialog = async () => ({ canceled: false, filePath: path })
  }, file)
  await window.getByRole('button', { name: 'Export as HTML…' }).click()
  await expect(window.getByText(`Saved as ${file}`, { exact: true })).toBeVisible()
  expect(readFileSync(file, 'utf8')).not.toContain('hunter22')

  // In a window of its own, without network, nothing is asked for and everything is there.
  const [exported] = await Promise.all([
    deckhand.app.waitForEvent('window'),
    deckhand.app.evaluate(async ({ BrowserWindow, session }, url) => {
      const offline = session.fromPartition('replay-test')
      offline.enableNetworkEmulation({ offline: true })
      const asked: string[] = []
      offline.webRequest.onBeforeRequest(({ url: wanted }, go) => {
        asked.push(wanted)
        go({})
      })
      Object.assign(globalThis, { asked })
      const made = new BrowserWindow({ width: 1280, height: 800, webPreferences: { session: offline, sandbox: true } })
      await made.loadURL(url)
    }, pathToFileURL(file).href),
  ])
  const errors: string[] = []
  exported.on('pageerror', (error) => errors.push(error.message))
  exported.on('console', (message) => message.type() === 'error' && errors.push(message.text()))
  await exported.getByRole('slider', { name: 'Position' }).press('End')
  await expect(screen(exported, /printf/)).toContainText('hello Ada')
  await expect(exported.getByText('It is waiting for you.')).toBeVisible()
  for (const theme of themes) {
    await exported.emulateMedia({ colorScheme: theme })
    await exported.screenshot({ path: `test-results/screens/replay-exported-${theme}.png` })
  }
  const asked: string[] = await deckhand.app.evaluate(() => (globalThis as unknown as { asked: string[] }).asked)
  expect(asked).toEqual([pathToFileURL(file).href])
  expect(errors).toEqual([])
  await exported.close()
  await setTheme(deckhand, 'light')
})
