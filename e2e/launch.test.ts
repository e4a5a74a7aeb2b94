import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { ElectronApplication, Locator } from 'playwright'
import { expect, test } from './app'
import { calls, gate, says } from './scripted-model'
import { answer, card, composer, pane, say, screenOf, sessionRow, typeInto } from './steps'

/** Types the command that people start the app with. */
const start = (...args: string[]) =>
  promisify(execFile)(process.execPath, [join(import.meta.dirname, '../scripts/start.mjs'), ...args])

test('a message is answered as it streams, and both are there after a restart', async ({ deckhand, model }) => {
  const halfway = gate()
  model.push([{ text: 'Aye, the first half' }, { gate: halfway }, { text: ' and the second.' }])
  const { window } = deckhand
  await window.getByLabel('Message to Deckhand').fill('Are you there?')
  await window.keyboard.press('Enter')
  await expect(window.getByText('Aye, the first half')).toBeVisible()
  halfway.open()
  await expect(window.getByText('Aye, the first half and the second.')).toBeVisible()
  expect(model.requests[0]?.body.messages.at(-1)).toMatchObject({ role: 'user' })

  const again = await deckhand.relaunch()
  await expect(again.getByText('Aye, the first half and the second.')).toBeVisible()
})

test('after a crash the app starts again on the same data', async ({ deckhand, model }) => {
  model.push(says('Noted before the crash.'))
  await deckhand.window.getByLabel('Message to Deckhand').fill('Remember this')
  await deckhand.window.keyboard.press('Enter')
  await expect(deckhand.window.getByText('Noted before the crash.')).toBeVisible()
  await deckhand.kill()
  const again = await deckhand.relaunch()
  await expect(again.getByText('Noted before the crash.')).toBeVisible()
})

test('started once more, it shows the window that is there', async ({ deckhand }, info) => {
  const isShown = () => deckhand.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.isVisible())
  await expect.poll(isShown).toBe(true)
  await deckhand.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.hide())
  expect(await isShown()).toBe(false)
  await start(`--user-data-dir=${deckhand.dataDir}`)
  await expect.poll(isShown).toBe(true)

  const picture = start('--screenshot', info.outputPath('none.png'), `--user-data-dir=${deckhand.dataDir}`)
  await expect(picture).rejects.toMatchObject({ code: 1, stderr: expect.stringContaining('running already') })
})

test.describe('in a wide deck', () => {
  test.use({ launch: { settings: { terminalFontSize: 8 } } })

  test('a command is started for the width that its terminal will have', async ({ deckhand, model }) => {
    const { app, window, workspace } = deckhand
    await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.setContentSize(1600, 800))
    writeFileSync(join(workspace, 'width.sh'), 'echo "began: $(stty size)"; read x; echo "shown: $(stty size)"; read x')
    model.push(calls('Bash', { command: 'sh width.sh', background: true }), says('It measures.'))
    // Nothing is in the deck yet, so it is closed, and opens with the first command.
    await composer(window).waitFor()
    await expect(window.getByRole('region', { name: 'Terminals' })).toBeHidden()
    await say(window, 'Measure it')
    await answer(card(window), 'Allow once')
    await expect(window.getByText('It measures.')).toBeVisible()
    const terminal = pane(window, 'sh width.sh')
    await typeInto(terminal, '\n')
    await expect(screenOf(terminal)).toContainText(/began: \d+ (\d{3}|[89]\d).*shown: \d+ \1\b/s)
  })
})

test('the picture that a start can take shows the sessions, the chat, the composer and a terminal', async ({
  deckhand,
  model,
}, info) => {
  model.push(says('It is all in the picture.'))
  await say(deckhand.window, 'Sit for a portrait')
  await deckhand.window.keyboard.press('Control+Shift+T')
  const terminal = pane(deckhand.window, 'Terminal')
  await typeInto(terminal, 'seq 100 120; exit\n')
  await expect(terminal).toHaveAttribute('data-live', 'false')
  await deckhand.quit()

  const taken = info.outputPath('taken.png')
  const said = await start('--screenshot', taken, `--user-data-dir=${deckhand.dataDir}`)
  expect(said.stdout).toContain(`Wrote ${taken}`)

  const window = await deckhand.relaunch()
  const parts = {
    session: sessionRow(window, 'Sit for a portrait'),
    answer: window.getByText('It is all in the picture.'),
    composer: composer(window),
    terminal: pane(window, 'Terminal').locator('.xterm-screen'),
  }
  await expect(screenOf(pane(window, 'Terminal'))).toContainText('120')
  await expect(window.getByText('quit unexpectedly')).toHaveCount(0)
  const seen = info.outputPath('seen.png')
  await window.screenshot({ path: seen, animations: 'disabled' })
  for (const [name, part] of Object.entries(parts)) {
    expect(await likeness(deckhand.app, part, seen, taken), name).toBeGreaterThan(0.8)
  }
})

/** How much of what is drawn in a part of one picture has the same colour in another; its background does not count. */
async function likeness(app: ElectronApplication, part: Locator, seen: string, taken: string): Promise<number> {
  const box = await part.boundingBox()
  if (!box) throw new Error('this part is not in sight')
  return app.evaluate(
    ({ nativeImage }, { x, y, width, height, files }) => {
      const area = { x: Math.ceil(x), y: Math.ceil(y), width: Math.floor(width) - 1, height: Math.floor(height) - 1 }
      const pixels = files.map((file) => nativeImage.createFromPath(file).crop(area).toBitmap())
      const [one, other] = pixels as [Buffer, Buffer]
      const colour = (at: number) => one.readUInt32LE(at)
      const counts = new Map<number, number>()
      for (let at = 0; at < one.length; at += 4) counts.set(colour(at), (counts.get(colour(at)) ?? 0) + 1)
      const background = [...counts].sort((a, b) => b[1] - a[1])[0]?.[0]
      let drawn = 0
      let same = 0
      for (let at = 0; at < one.length; at += 4) {
        if (colour(at) === background) continue
        drawn += 1
        const apart = [0, 1, 2].map((channel) => Math.abs((one[at + channel] ?? 0) - (other[at + channel] ?? 0)))
        if (Math.max(...apart) < 40) same += 1
      }
      return drawn === 0 ? 0 : same / drawn
    },
    { ...box, files: [seen, taken] },
  )
}

test('a link fills the message box and sends nothing, and a folder opens in a session of its own', async ({
  deckhand,
  model,
}) => {
  const again = (...words: string[]) => start(`--user-data-dir=${deckhand.dataDir}`, ...words)
  const box = composer(deckhand.window)
  await box.fill('What I wrote')
  await again('deckhand-link://prompt?text=Please%20look%20at%20this')
  await expect(box).toHaveValue('What I wrote\n\nPlease look at this')
  expect(model.requests).toEqual([])

  await again(`--open=${deckhand.workspace}/..`)
  await expect(box).toHaveValue('')
  const first = await deckhand.window.evaluate(async () => {
    const { deckhand: bridge } = window as unknown as {
      deckhand: { call(name: string, input: object): Promise<never> }
    }
    const reply: { value: { id: string; workspace: string; createdAt: number }[] } = await bridge.call(
      'session.list',
      {},
    )
    return reply.value.sort((a, b) => a.createdAt - b.createdAt).map(({ id, workspace }) => ({ id, workspace }))
  })
  expect(first.map(({ workspace }) => workspace)).toEqual([deckhand.workspace, join(deckhand.workspace, '..')])

  await again(`deckhand-link://session/${first[0]?.id}`)
  await expect(box).toHaveValue('What I wrote\n\nPlease look at this')
  await again('deckhand-link://session/nowhere')
  await expect(
    deckhand.window.getByText('The link leads to a session that is not on this machine.', { exact: true }),
  ).toBeVisible()
})
