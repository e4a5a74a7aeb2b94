import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { type Deckhand, expect, test } from './app'
import { bringAxe, expectNoBarriers } from './barriers'
import { calls, says } from './scripted-model'
import { composer, everySize, lastRequest, picture, say, sessionRow } from './steps'

const server = {
  command: 'node',
  args: [join(import.meta.dirname, '../src-main/mcp/test-modern-server.mjs')],
  enabled: true,
}
test.use({ launch: { settings: { mcpServers: { notes: server }, webAllowLocal: true } } })

// biome-ignore lint/suspicious/noExplicitAny: what Electron's published types leave out
type Anything = any

const electron = join(import.meta.dirname, '../node_modules/electron/dist/electron')

const mentions = ({ window }: Deckhand) => window.getByRole('listbox', { name: 'Mention' })

test('an @ names files, folders, terminals, sessions and resources, and ↑ brings back what was sent', async ({
  deckhand,
  model,
}) => {
  const { window, workspace } = deckhand
  await bringAxe(window)
  mkdirSync(join(workspace, 'src/deep dir'), { recursive: true })
  writeFileSync(join(workspace, 'src/app.ts'), 'export const app = 1\n')
  writeFileSync(join(workspace, 'src/deep dir/inner.ts'), '\n')

  model.push(calls('Bash', { command: 'echo apples and pears' }), says('There are apples.'))
  await say(window, 'Count the fruit')
  await expect(window.getByText('There are apples.')).toBeVisible()
  await window.keyboard.press('Control+N')
  await expect(window.getByRole('heading', { name: 'What would you like to do?' })).toBeVisible()

  // Files and folders, by keyboard alone.
  await composer(window).pressSequentially('Look at @ap')
  await expect(mentions(deckhand).getByRole('option', { name: /^app\.ts .*File$/ })).toHaveAttribute(
    'aria-selected',
    'true',
  )
  await picture(deckhand, 'mention-files')
  await expectNoBarriers(deckhand, 'the list behind an @')
  await composer(window).press('Enter')
  await expect(composer(window)).toHaveValue('Look at @src/app.ts ')
  await composer(window).pressSequentially('and @sr')
  await expect(mentions(deckhand).getByRole('option', { name: /^src\/ .*Folder$/ })).toHaveAttribute(
    'aria-selected',
    'true',
  )
  await composer(window).press('Tab')
  await expect(mentions(deckhand).getByRole('option', { name: /^deep dir\/ .*Folder$/ })).toBeVisible()
  await composer(window).pressSequentially('deep')
  await composer(window).press('Enter')
  await expect(composer(window)).toHaveValue('Look at @src/app.ts and @"src/deep dir/" ')

  // Another session goes with the message, and a resource of a server.
  await composer(window).pressSequentially('like @fruit')
  await mentions(deckhand)
    .getByRole('option', { name: /^Count the fruit .*Session$/ })
    .click()
  await composer(window).pressSequentially('with @today')
  await mentions(deckhand)
    .getByRole('option', { name: /MCP resource$/ })
    .click()
  const attached = window.getByRole('list', { name: 'Attached files' })
  await expect(attached).toContainText('Count the fruit.md')
  await expect(attached).toContainText('notes://today')
  await composer(window).press('Escape')
  await picture(deckhand, 'mention-attached')
  model.push(calls('Bash', { command: 'echo one plum' }), says('I read all of it.'))
  await composer(window).press('Enter')
  await expect(window.getByText('I read all of it.')).toBeVisible()
  expect(lastRequest(deckhand)).toContain(
    'Look at @src/app.ts and @\\"src/deep dir/\\" like the session “Count the fruit”',
  )
  expect(lastRequest(deckhand)).toContain('There are apples.')
  expect(lastRequest(deckhand)).toContain('Buy bread.')

  // The output of a terminal.
  await composer(window).pressSequentially('Why @plum')
  await mentions(deckhand)
    .getByRole('option', { name: /^echo one plum .*Terminal$/ })
    .click()
  await expect(composer(window)).toHaveValue('Why the output of `echo one plum` ')
  await expect(attached).toContainText('Output of echo one plum.txt')
  model.push(says('Because of the plum.'))
  await composer(window).press('Enter')
  await expect(window.getByText('Because of the plum.')).toBeVisible()
  expect(lastRequest(deckhand)).toContain('Output of echo one plum.txt')

  // What was sent comes back, the newest first.
  await composer(window).press('ArrowUp')
  await expect(composer(window)).toHaveValue('Why the output of `echo one plum` ')
  await composer(window).press('ArrowUp')
  await expect(composer(window)).toHaveValue(/^Look at/)
  await composer(window).press('ArrowDown')
  await composer(window).press('ArrowDown')
  await expect(composer(window)).toHaveValue('')

  // A paste that the box should not hold becomes a file.
  await composer(window).focus()
  await deckhand.app.evaluate(({ clipboard }) => clipboard.writeText('a long line of a log\n'.repeat(3000)))
  await window.keyboard.press('Control+V')
  await expect(attached).toContainText('Pasted text.txt')
  await expect(composer(window)).toHaveValue('')
})

test('text is found in the whole chat, also in what the window does not hold', async ({ deckhand }) => {
  await expect(composer(deckhand.window)).toBeVisible()
  await deckhand.quit()
  execFileSync(electron, [join(import.meta.dirname, 'long-session.mjs'), deckhand.dataDir, '2000'], {
    env: { ...process.env, ELECTRON_RUN_AS_NODE: '1' },
  })
  const window = await deckhand.relaunch()
  await bringAxe(window)
  await sessionRow(window, 'A long session').click()
  await expect(window.getByText('Answer number 1999.')).toBeVisible()
  await window.keyboard.press('Control+F')
  const field = window.getByRole('textbox', { name: 'Find in this chat' })
  await expect(field).toBeFocused()
  await field.fill('the LIGHTHOUSE')
  await expect(window.getByText('1 of 1')).toBeVisible()
  await expect(window.getByText('Where is the lighthouse?')).toBeInViewport()
  const marked = () => window.evaluate(() => CSS.highlights.get('chat-found-current')?.size ?? 0)
  await expect.poll(marked).toBe(1)
  await picture(deckhand, 'find-in-chat')
  await expectNoBarriers(deckhand, 'finding in the chat')

  // The newest first, then from the oldest on, and back.
  await field.fill('number 99')
  await expect(window.getByText('11 of 11')).toBeVisible()
  await expect(window.getByText('Answer number 999.')).toBeInViewport()
  await field.press('Enter')
  await expect(window.getByText('1 of 11')).toBeVisible()
  await expect(window.getByText('Answer number 99.')).toBeInViewport()
  await field.press('Shift+Enter')
  await expect(window.getByText('11 of 11')).toBeVisible()
  await field.fill('nowhere at all')
  await expect(window.getByText('No matches')).toBeVisible()
  await field.press('Escape')
  await expect(field).toBeHidden()
  await expect(composer(window)).toBeFocused()
})

test('formulas and diagrams are drawn, long lines wrap, and an image of the web comes on a click only', async ({
  deckhand,
  model,
}) => {
  const { app, window } = deckhand
  await bringAxe(window)
  const pictures = await serveImage()
  const { port } = pictures.server.address() as AddressInfo
  const address = `http://127.0.0.1:${port}`
  model.push(
    says(
      [
        'The roots are $x = \\frac{-b \\pm \\sqrt{b^2 - 4ac}}{2a}$, and it costs $5 or $10:',
        '$$\n\\int_0^1 x^2\\,dx = \\frac{1}{3}\n$$',
        '```mermaid\ngraph LR\n  ask[Ask the user] --> run{Allowed?}\n  run -->|yes| done((Run))\n  run -->|no| stop[Stop]\n```',
        '```mermaid\nthis is no diagram\n```',
        `\`\`\`sh\necho ${'a-very-long-word '.repeat(20)}\n\`\`\``,
        `![a red dot](${address}/dot.png) ![a page](${address}/page.html)`,
        '<img src="http://127.0.0.1:1/never">',
      ].join('\n\n'),
    ),
  )
  await say(window, 'Show me everything')
  const answer = window.getByRole('article', { name: 'Deckhand' }).last()
  await expect(answer.locator('math')).toHaveCount(2)
  await expect(answer.locator('math mfrac').first()).toBeAttached()
  // Drawn with fonts of its own, the root over all that it is of.
  await expect(answer.locator('.katex-html .sqrt svg').first()).toBeVisible()
  expect(await window.evaluate(() => document.fonts.check('14px KaTeX_Math'))).toBe(true)
  await expect(answer).toContainText('it costs $5 or $10')
  const diagram = answer.getByRole('figure', { name: 'Diagram' })
  await expect(diagram.getByRole('img', { name: 'Diagram: graph' })).toBeVisible({ timeout: 30_000 })
  await expect(answer.getByText(/^This diagram cannot be drawn: /)).toBeVisible()
  expect(pictures.asked).toEqual([])

  await answer.getByRole('button', { name: 'Load “a red dot” from 127.0.0.1' }).click()
  await expect(answer.getByRole('img', { name: 'a red dot' })).toBeVisible()
  await answer.getByRole('button', { name: 'Load “a page” from 127.0.0.1' }).click()
  await expect(answer.getByText('This address has no image that can be shown (text/html).')).toBeVisible()
  expect(pictures.asked).toEqual(['/dot.png', '/page.html'])

  const code = answer.getByRole('figure', { name: 'Code, sh' }).getByRole('region', { name: 'Code' })
  const overflows = () => code.evaluate((element) => element.scrollWidth > element.clientWidth)
  expect(await overflows()).toBe(true)
  await answer.getByRole('figure', { name: 'Code, sh' }).getByRole('button', { name: 'Wrap lines' }).click()
  expect(await overflows()).toBe(false)
  await answer.locator('math').first().scrollIntoViewIfNeeded()
  await picture(deckhand, 'rich-formula')
  await diagram.scrollIntoViewIfNeeded()
  await everySize(deckhand, 'rich-answer')
  await expectNoBarriers(deckhand, 'an answer with formulas and a diagram')

  // What draws is a page of its own without any powers, and the window has none of them either.
  const drawing = await app.evaluate(({ webContents, session }) => {
    const page = webContents.getAllWebContents().find((each) => each.getURL().includes('/diagram/')) as Anything
    return { ...page.getLastWebPreferences(), shared: page.session === session.defaultSession }
  })
  expect(drawing).toMatchObject({ sandbox: true, contextIsolation: true, nodeIntegration: false, shared: false })
  expect(drawing.preload).toBeFalsy()
  const powers = await app.evaluate(({ webContents }) =>
    webContents
      .getAllWebContents()
      .find((each) => each.getURL().includes('/diagram/'))
      ?.executeJavaScript(
        "Promise.all([fetch('https://example.org').then(() => 'reached', () => 'refused'), typeof deckhand, typeof process])",
      ),
  )
  expect(powers).toEqual(['refused', 'undefined', 'undefined'])
  await diagram.getByRole('button', { name: 'Show code' }).click()
  await expect(answer.getByText('ask[Ask the user]')).toBeVisible()
  await new Promise((done) => pictures.server.close(done))
})

const dot = 'iVBORw0KGgoAAAANSUhEUgAAAAgAAAAICAIAAABLbSncAAAAEklEQVR4nGP4z8CAFWEXHbQSACj/P8Fu7N9hAAAAAElFTkSuQmCC'

async function serveImage(): Promise<{ server: Server; asked: string[] }> {
  const asked: string[] = []
  const images = createServer(({ url = '' }, response) => {
    asked.push(url)
    const isDot = url === '/dot.png'
    response.writeHead(200, { 'content-type': isDot ? 'image/png' : 'text/html' })
    response.end(isDot ? Buffer.from(dot, 'base64') : '<p>No image</p>')
  })
  await new Promise<void>((resolve) => images.listen(0, '127.0.0.1', resolve))
  return { server: images, asked }
}
