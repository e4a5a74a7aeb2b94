import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { type Deckhand, expect, test } from './app'
import { bringAxe, expectNoBarriers } from './barriers'
import { calls, says } from './scripted-model'
import {
  answer,
  card,
  chooseMode,
  composer,
  control,
  everySize,
  lastRequest,
  openPage,
  pane,
  picture,
  say,
  screenOf,
  toolLine,
} from './steps'

// biome-ignore lint/suspicious/noExplicitAny: what Electron's published types leave out
type Anything = any

/** An editor that writes down what it was started with. */
function installEditor(deckhand: Deckhand): { command: string; opened(): Promise<string[]> } {
  const folder = join(deckhand.dataDir, '../my editor')
  mkdirSync(folder)
  const [program, log] = [join(folder, 'edit'), join(folder, 'log')]
  writeFileSync(program, `#!/bin/sh\nprintf '%s\\n' "$@" > '${log}.part'\nmv '${log}.part' '${log}'\n`)
  chmodSync(program, 0o755)
  return {
    command: `"${program}" --at {line}:{column} {file}`,
    opened: async () => {
      await expect.poll(() => existsSync(log)).toBe(true)
      const words = readFileSync(log, 'utf8').trim().split('\n')
      rmSync(log)
      return words
    },
  }
}

test('files that the chat, a card and a terminal name open in the chosen editor', async ({ deckhand, model }) => {
  const { window, workspace } = deckhand
  await bringAxe(window)
  const editor = installEditor(deckhand)
  mkdirSync(join(workspace, 'src'))
  writeFileSync(join(workspace, 'src/app.ts'), 'one\ntwo needle\nthree\n')

  await openPage(window, 'Settings')
  await window.getByRole('navigation', { name: 'Settings' }).getByRole('button', { name: 'Editor' }).click()
  await window.getByRole('combobox', { name: 'Open files with' }).click()
  await window.getByRole('option', { name: 'Other command' }).click()
  const command = window.getByRole('textbox', { name: 'Command', exact: true })
  await command.fill(editor.command)
  await command.press('Enter')
  await expectNoBarriers(deckhand, 'the setting of the editor')
  await everySize(deckhand, 'editor-setting')
  await window.keyboard.press('Control+L')

  model.push(
    calls('Grep', { pattern: 'needle' }),
    calls('Bash', { command: 'echo src/app.ts:3:2' }),
    says('It is in `src/app.ts:2`, and not in `src/gone.ts:1`. See also src/app.ts:3, but not src/gone.ts:4.'),
  )
  await say(window, 'Where is the needle?')
  const chat = window.getByRole('article', { name: 'Deckhand' }).last()
  await chat.getByRole('button', { name: 'src/app.ts:2', exact: true }).click()
  const file = join(workspace, 'src/app.ts')
  expect(await editor.opened()).toEqual(['--at', '2:1', file])
  // What is not there is no link.
  await expect(chat.getByText('src/gone.ts:1')).toBeVisible()
  await expect(chat.getByRole('button', { name: 'src/gone.ts:1' })).toHaveCount(0)
  await expect(chat.getByText('src/gone.ts:4')).toBeVisible()
  await expect(chat.getByRole('button', { name: 'src/gone.ts:4' })).toHaveCount(0)
  await chat.getByRole('button', { name: 'src/app.ts:3', exact: true }).click()
  expect(await editor.opened()).toEqual(['--at', '3:1', file])
  await toolLine(window, 'needle').click()
  await window.getByRole('region', { name: 'Matches' }).getByRole('button', { name: 'src/app.ts:2' }).click()
  expect(await editor.opened()).toEqual(['--at', '2:1', file])
  await picture(deckhand, 'path-links')
  await expectNoBarriers(deckhand, 'paths that lead somewhere')

  const terminal = pane(window, /echo src/)
  await expect(screenOf(terminal)).toContainText('src/app.ts:3:2')
  const screen = await terminal.locator('.xterm-screen').boundingBox()
  if (!screen) throw new Error('no screen')
  await expect(async () => {
    await window.mouse.move(screen.x + 4, screen.y + 4)
    await window.mouse.move(screen.x + 20, screen.y + 8)
    await expect(terminal.locator('.xterm-cursor-pointer')).toHaveCount(1, { timeout: 1000 })
  }).toPass()
  await window.mouse.click(screen.x + 20, screen.y + 8)
  expect(await editor.opened()).toEqual(['--at', '3:2', file])
})

const freePort = async (): Promise<number> => {
  const server = createServer()
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const address = server.address()
  await new Promise((done) => server.close(done))
  return typeof address === 'object' && address ? address.port : 0
}

const site = (port: number, other: number) => `
const http = require('http')
http.createServer((request, response) => {
  response.setHeader('content-type', 'text/html')
  response.end(\`<title>My site</title><body style="background:#cfe"><h1>Hello \${request.url}</h1><a href="/two">two</a>
  <a id="away" href="http://127.0.0.1:${other}/">away</a>
  <script>console.error('a fault of the page'); window.open('http://localhost:${port}/popup')
  fetch('http://127.0.0.1:${other}/secret').then(() => console.log('reached'), () => console.log('not reached'))
  console.log(typeof deckhand, typeof process, typeof require)</script>\`)
}).listen(${port}, '127.0.0.1', () => console.log('listening on ${port}'))
`

const pageOf = (deckhand: Deckhand, port: number) =>
  deckhand.app.evaluate(async ({ webContents, session }, wanted) => {
    const page = webContents.getAllWebContents().find((each) => each.getURL().includes(`:${wanted}`)) as Anything
    if (!page) return null
    const { sandbox, contextIsolation, nodeIntegration, preload } = page.getLastWebPreferences()
    return {
      url: page.getURL(),
      text: await page.executeJavaScript('document.body.innerText'),
      powers: { sandbox, contextIsolation, nodeIntegration, preload: Boolean(preload) },
      shared: page.session === session.defaultSession,
    }
  }, port)

test('a port opens as a page beside the chat, which reaches nothing but what the session runs', async ({
  deckhand,
  model,
}) => {
  test.slow()
  const { window, workspace } = deckhand
  await bringAxe(window)
  const [port, other] = [await freePort(), await freePort()]
  writeFileSync(join(workspace, 'site.cjs'), site(port, other))
  await chooseMode(window, 'Allow everything')
  model.push(calls('Bash', { command: 'node site.cjs', background: true }), says('It runs.'))
  await say(window, 'Serve the site')
  await expect(window.getByText('It runs.')).toBeVisible()
  await pane(window, /node site/)
    .getByRole('button', { name: `Port ${port}` })
    .click()
  await window.getByRole('menuitem', { name: 'Preview beside the chat' }).click()
  const preview = window.getByRole('region', { name: 'Preview' })
  await expect(preview.getByRole('textbox', { name: 'Address' })).toHaveValue(`http://localhost:${port}/`)
  await expect.poll(async () => (await pageOf(deckhand, port))?.text).toContain('Hello /')
  expect(await pageOf(deckhand, port)).toMatchObject({
    powers: { sandbox: true, contextIsolation: true, nodeIntegration: false, preload: false },
    shared: false,
  })

  // It lies over the room that is left for it, and gives way to what opens in front of it.
  const placed = () =>
    deckhand.app.evaluate(({ BrowserWindow }) => {
      const view = BrowserWindow.getAllWindows()[0]?.contentView.children.at(-1) as Anything
      return view.getVisible() ? view.getBounds() : null
    })
  const room = preview.getByRole('button', { name: /^Go to the page My site/ })
  await expect(async () => {
    const box = await room.boundingBox()
    const near = await placed()
    for (const side of ['x', 'y', 'width', 'height'] as const)
      expect(Math.abs((near?.[side] ?? -99) - (box?.[side] ?? 0))).toBeLessThanOrEqual(1)
  }).toPass()
  await window.keyboard.press('Control+K')
  await expect.poll(placed).toBeNull()
  await window.keyboard.press('Escape')
  await expect.poll(placed).not.toBeNull()

  // What it says and what was refused to it is in its console.
  await preview.getByRole('button', { name: /^Console/ }).click()
  const lines = preview.getByRole('region', { name: 'Page console' })
  await expect(lines).toContainText('a fault of the page')
  await expect(lines).toContainText('undefined undefined undefined')
  await expect(lines).toContainText(`Refused, as it is not part of this session: http://127.0.0.1:${other}/secret`)
  await expect(lines).toContainText('not reached')
  await expect(lines).toContainText(`Not opened in a new window: http://localhost:${port}/popup`)
  await everySize(deckhand, 'preview')
  await expectNoBarriers(deckhand, 'a page beside the chat')

  // It follows its own links, and no others.
  const click = (selector: string) =>
    deckhand.app.evaluate(
      ({ webContents }, { wanted, which }) =>
        webContents
          .getAllWebContents()
          .find((each) => each.getURL().includes(`:${wanted}`))
          // As a person clicks: a page that moved by itself is no place to go back to.
          ?.executeJavaScript(`document.querySelector(${JSON.stringify(which)}).click()`, true),
      { wanted: port, which: selector },
    )
  await click('a')
  await expect(preview.getByRole('textbox', { name: 'Address' })).toHaveValue(`http://localhost:${port}/two`)
  await click('#away')
  await expect(lines).toContainText(`Not opened: http://127.0.0.1:${other}/`)
  await preview.getByRole('button', { name: 'Back', exact: true }).click()
  await expect(preview.getByRole('textbox', { name: 'Address' })).toHaveValue(`http://localhost:${port}/`)
  await expect.poll(async () => (await pageOf(deckhand, port))?.text).toContain('Hello /')

  // A picture of it goes with a message.
  await preview.getByRole('button', { name: 'Attach a screenshot' }).click()
  await expect(window.getByRole('list', { name: 'Attached files' })).toContainText(`localhost:${port}.png`)
  model.push(says('I see it.'))
  await composer(window).fill('Look at this')
  await composer(window).press('Enter')
  await expect(window.getByText('I see it.')).toBeVisible()
  expect(lastRequest(deckhand)).toContain('data:image/png;base64,')

  // A page of a port that nobody here holds is refused, unless it is typed.
  const refused = await window.evaluate(
    ([sessionPort]) =>
      (globalThis as Anything).deckhand.call('session.list', {}).then((list: Anything) =>
        (globalThis as Anything).deckhand.call('preview.open', {
          sessionId: list.value[0].id,
          url: `http://127.0.0.1:${sessionPort}/`,
        }),
      ),
    [other],
  )
  expect(refused).toMatchObject({ ok: false, error: `Nothing in this session listens on 127.0.0.1:${other}.` })
  await preview.getByRole('textbox', { name: 'Address' }).fill(`127.0.0.1:${other}`)
  await preview.getByRole('textbox', { name: 'Address' }).press('Enter')
  await expect(preview.getByText(/did not answer/)).toBeVisible()
  await preview.getByRole('button', { name: 'Close preview' }).click()
  await expect(preview).toBeHidden()
  expect(await pageOf(deckhand, port)).toBeNull()
})

test('what ended because the app quit says so, and runs again on a click', async ({ deckhand, model }) => {
  model.push(calls('Bash', { command: 'echo again and again; sleep 300', background: true }), says('It runs.'))
  await chooseMode(deckhand.window, 'Allow everything')
  await say(deckhand.window, 'Start it')
  await expect(screenOf(pane(deckhand.window, /again/))).toContainText('again and again')
  await deckhand.quit()
  const window = await deckhand.relaunch()
  const ended = pane(window, /again/)
  await expect(ended.locator('.terminal-state')).toHaveText('ended with Deckhand')
  await picture(deckhand, 'ended-with-deckhand')
  await control(ended, 'Run again')
  await expect(pane(window, /again/).filter({ hasText: 'running' })).toBeVisible()
  await expect(screenOf(pane(window, /again/).filter({ hasText: 'running' }))).toContainText('again and again')
  await picture(deckhand, 'run-again')
})

test('a call leads to the rule that let it run, and the rule to what it let run last', async ({ deckhand, model }) => {
  const { window } = deckhand
  model.push(calls('Bash', { command: 'touch a.txt' }), says('Once.'))
  await say(window, 'Make it')
  await answer(card(window), 'Allow for this session')
  await expect(window.getByText('Once.')).toBeVisible()
  model.push(calls('Bash', { command: 'touch a.txt' }), says('Twice.'))
  await say(window, 'Make it again')
  await expect(window.getByText('Twice.')).toBeVisible()
  await toolLine(window, 'touch a.txt').last().click()
  await window.getByRole('button', { name: 'Show rule' }).click()
  const row = window.locator('tr[data-aimed]')
  await expect(row).toBeInViewport()
  await picture(deckhand, 'rule-of-a-call')
  await row.getByTitle('Show it in the chat').click()
  await expect(window.getByText('Twice.')).toBeInViewport()
  await expect(window.locator('article[data-flash]')).toBeVisible()
})
