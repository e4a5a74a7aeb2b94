import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isProcessAlive } from '../src-main/process-alive'
import { expect, test } from './app'
import { calls, gate, says } from './scripted-model'
import {
  answer,
  card,
  composer,
  control,
  lastRequest,
  pane,
  picture,
  say,
  screenOf,
  toolLine,
  waitForEnd,
} from './steps'

test('a question outlives a restart and a crash, and its answer runs the command once', async ({ deckhand, model }) => {
  model.push(calls('Bash', { command: 'echo ran >> log.txt' }))
  await say(deckhand.window, 'Log it')
  await expect(card(deckhand.window)).toBeVisible()
  const restarted = await deckhand.relaunch()
  await expect(card(restarted, 'echo ran')).toBeVisible()
  await deckhand.kill()
  const window = await deckhand.relaunch()
  await expect(card(window, 'echo ran')).toBeVisible()
  await expect(window.getByRole('button', { name: /^Inbox , 1 waiting/ })).toBeVisible()
  await picture(deckhand, 'restart-approval')
  expect(existsSync(join(deckhand.workspace, 'log.txt'))).toBe(false)

  model.push(says('It ran after all.'))
  await answer(card(window), 'Allow once')
  await expect(window.getByText('It ran after all.')).toBeVisible()
  expect(readFileSync(join(deckhand.workspace, 'log.txt'), 'utf8')).toBe('ran\n')
  const again = await deckhand.relaunch()
  await expect(again.getByText('It ran after all.')).toBeVisible()
  expect(readFileSync(join(deckhand.workspace, 'log.txt'), 'utf8')).toBe('ran\n')
})

test('after a crash in the middle of work it is said what was lost and what survived', async ({ deckhand, model }) => {
  const { workspace } = deckhand
  writeFileSync(
    join(workspace, 'tough.sh'),
    "trap '' HUP TERM\necho $$ > tough.pid\necho holding on\nsleep 300 & wait\n",
  )
  model.push(
    calls('Bash', { command: 'sh tough.sh', background: true }),
    calls('Bash', { command: 'echo started >> runs.txt; sleep 302' }),
  )
  await say(deckhand.window, 'Work')
  await answer(card(deckhand.window, 'tough.sh'), 'Allow once')
  await answer(card(deckhand.window, 'runs.txt'), 'Allow once')
  await expect(screenOf(pane(deckhand.window, 'sh tough.sh'))).toContainText('holding on')
  await expect(() => expect(existsSync(join(workspace, 'runs.txt'))).toBe(true)).toPass()
  const tough = Number(readFileSync(join(workspace, 'tough.pid'), 'utf8'))
  await deckhand.kill()

  const window = await deckhand.relaunch()
  await expect(window.getByText('Deckhand closed in the middle of this turn.')).toBeVisible()
  await expect(toolLine(window, 'runs.txt')).toContainText('stopped')
  await expect(
    pane(window, /^sh tough/)
      .getByText('survived the restart')
      .first(),
  ).toBeVisible()
  await expect(
    pane(window, /runs\.txt/)
      .getByText('ended with Deckhand')
      .first(),
  ).toBeVisible()
  await picture(deckhand, 'restart-crash')
  expect(isProcessAlive(tough)).toBe(true)
  expect(readFileSync(join(workspace, 'runs.txt'), 'utf8')).toBe('started\n')

  const survivor = pane(window, /^sh tough/)
  model.push(says('The survivor has ended.'), says('Going on.'))
  await control(survivor, 'Stop process')
  await control(survivor, 'Still running. Kill now')
  await waitForEnd(tough)

  await say(window, 'Go on')
  await expect(window.getByText(/Going on\.|The survivor has ended\./).first()).toBeVisible()
  expect(lastRequest(deckhand)).toMatch(/not started again|stopped/i)
  expect(readFileSync(join(workspace, 'runs.txt'), 'utf8')).toBe('started\n')
})

test('after quitting, ended processes are still there to read with what became of them', async ({
  deckhand,
  model,
}) => {
  model.push(
    calls('Bash', { command: 'echo finished before' }),
    calls('Bash', { command: 'echo still going; sleep 303', background: true }),
    says('One ended, one runs.'),
  )
  await say(deckhand.window, 'Two things')
  await answer(card(deckhand.window), 'Allow once')
  await expect(deckhand.window.getByText('One ended, one runs.')).toBeVisible()
  await expect(screenOf(pane(deckhand.window, /sleep 303/))).toContainText('still going')

  const window = await deckhand.relaunch()
  const stopped = pane(window, /sleep 303/)
  await expect(stopped).toHaveAttribute('data-live', 'false')
  await expect(stopped.getByText(/SIG|lost|ended/).first()).toBeVisible()
  await expect(screenOf(stopped)).toContainText('still going')
  await picture(deckhand, 'restart-quit')
  await toolLine(window, 'echo finished before').click()
  await window.getByRole('button', { name: 'Open terminal', exact: true }).click()
  await expect(screenOf(pane(window, /finished before/))).toContainText('finished before')
  await expect(
    pane(window, /finished before/)
      .getByText('exit 0')
      .first(),
  ).toBeVisible()
})

test('a reload and a crash of the window keep the stream, the question and the terminal', async ({
  deckhand,
  model,
}) => {
  const { app, window } = deckhand
  const halfway = gate()
  model.push(calls('Bash', { command: 'echo visible; sleep 304', background: true }), [
    { text: 'The first half' },
    { gate: halfway },
    { text: ' and the second.' },
  ])
  await say(window, 'Begin')
  await answer(card(window), 'Allow once')
  await expect(window.getByText('The first half')).toBeVisible()
  await composer(window).fill('a draft')
  await window.reload()
  await expect(window.getByText('The first half')).toBeVisible()
  await expect(screenOf(pane(window, /sleep 304/))).toContainText('visible')
  await expect(window.getByRole('button', { name: 'Stop', exact: true })).toBeVisible()
  halfway.open()
  await expect(window.getByText('The first half and the second.')).toBeVisible()

  model.push(calls('Bash', { command: 'touch later.txt' }))
  await say(window, 'And then')
  await expect(card(window)).toBeVisible()
  await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.webContents.forcefullyCrashRenderer())
  // The page that the test holds is gone; main tells what the new one shows.
  const text = () =>
    app.evaluate(({ BrowserWindow }) => {
      const contents = BrowserWindow.getAllWindows()[0]?.webContents
      // A page that is gone never answers.
      const none = new Promise((resolve) => setTimeout(resolve, 2000))
      return Promise.race([none, contents?.executeJavaScript('document.body.innerText')])
    })
  await expect(async () => {
    const shown = await text()
    expect(shown).toContain('touch later.txt')
    expect(shown).toContain('Allow once')
    expect(shown).toContain('The first half and the second.')
  }).toPass({ timeout: 30_000 })
})
