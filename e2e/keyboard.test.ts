import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from './app'
import { bringAxe, expectNoBarriers } from './barriers'
import { calls, gate, says } from './scripted-model'
import { answer, card, composer, pane, picture, say, screenOf, typeInto } from './steps'

test('the whole walk goes without a mouse', async ({ deckhand, model }) => {
  const { window, workspace } = deckhand
  const { keyboard } = window
  writeFileSync(join(workspace, 'ask.sh'), 'read line; echo "got $line"')
  await expect(composer(window)).toBeVisible()
  await keyboard.press('Control+N')
  await expect(composer(window)).toBeFocused()
  model.push(
    calls('Bash', { command: 'touch first.txt' }),
    calls('Bash', { command: 'touch second.txt' }),
    calls('Bash', { command: 'touch third.txt' }),
    calls('Bash', { command: 'touch fourth.txt' }),
    calls('Bash', { command: 'sh ask.sh', background: true }),
    says('All asked.'),
  )
  await keyboard.type('Do it all')
  await keyboard.press('Enter')

  const goTo = async (text: string) => {
    await expect(card(window, text)).toBeVisible()
    await keyboard.press('Control+Shift+A')
    await expect(card(window, text)).toBeFocused()
  }
  /** Goes to the next card and presses these keys until it is gone. */
  const settle = async (text: string, keys: string) => {
    await goTo(text)
    await expect(async () => {
      await keyboard.press(keys)
      await expect(card(window, text)).toBeHidden({ timeout: 2000 })
    }).toPass()
  }
  await settle('first.txt', 'Control+Enter')
  await settle('second.txt', 'Control+Backspace')

  await goTo('third.txt')
  await keyboard.press('e')
  await expect(window.getByLabel('The command to run instead')).toBeFocused()
  await keyboard.press('ControlOrMeta+A')
  await keyboard.type('touch edited.txt')
  await expect(async () => {
    await keyboard.press('Control+Enter')
    await expect(card(window, 'third.txt')).toBeHidden({ timeout: 2000 })
  }).toPass()

  await goTo('fourth.txt')
  await keyboard.press('n')
  await keyboard.type('not that one')
  await expect(async () => {
    await keyboard.press('Enter')
    await expect(card(window, 'fourth.txt')).toBeHidden({ timeout: 2000 })
  }).toPass()
  expect(JSON.stringify(model.requests[4]?.body.messages)).toContain('not that one')

  await settle('sh ask.sh', 'Control+Shift+Enter')
  await expect(window.getByText('All asked.')).toBeVisible()
  for (const [name, made] of [
    ['first.txt', true],
    ['second.txt', false],
    ['edited.txt', true],
    ['third.txt', false],
    ['fourth.txt', false],
  ] as const) {
    expect([name, existsSync(join(workspace, name))]).toEqual([name, made])
  }

  const terminal = pane(window, 'sh ask.sh')
  await expect(terminal.locator('[data-ready=true]')).toBeVisible()
  await keyboard.press('F6')
  await expect(terminal).toHaveAttribute('data-focused', 'true')
  await deckhand.screenshot('keyboard-terminal')
  model.push(says('It got your line.'))
  await keyboard.type('a line by hand')
  await keyboard.press('Control+Shift+Escape')
  await expect(composer(window)).toBeFocused()
  await expect(terminal).toHaveAttribute('data-focused', 'false')
  await keyboard.press('F6')
  await expect(terminal).toHaveAttribute('data-focused', 'true')
  await keyboard.press('Enter')
  await expect(screenOf(terminal)).toContainText('got a line by hand')
  await expect(window.getByText('It got your line.')).toBeVisible()
})

test('the palette finds commands, sessions, modes and models; every key is on one sheet', async ({
  deckhand,
  model,
}) => {
  const { window } = deckhand
  const { keyboard } = window
  model.push(says('Noted.'))
  await say(window, 'Remember the anchor')
  await expect(window.getByText('Noted.')).toBeVisible()
  const palette = window.getByRole('dialog', { name: 'Command palette' })
  const run = async (words: string) => {
    await keyboard.press('Control+K')
    await expect(palette.getByRole('combobox')).toBeFocused()
    await keyboard.type(words)
    await keyboard.press('Enter')
    await expect(palette).toBeHidden()
  }
  await keyboard.press('Control+K')
  await expect(palette).toBeVisible()
  await picture(deckhand, 'palette')
  await keyboard.type('no such thing')
  await expect(palette.getByText('No matches.')).toBeVisible()
  await keyboard.press('Escape')
  await expect(palette).toBeHidden()

  await run('theme dark')
  await window.emulateMedia({ colorScheme: 'light' })
  await expect(window.locator('html')).toHaveAttribute('data-theme', 'dark')
  await run('theme light')
  await expect(window.locator('html')).toHaveAttribute('data-theme', 'light')
  await run('mode ask for everything')
  await expect(window.getByRole('button', { name: 'Approval: Ask for everything' })).toBeVisible()
  await run('model offline')
  await expect(window.getByRole('button', { name: /^Model: .*guide/i })).toBeVisible()
  await run('new session')
  await expect(window.getByRole('heading', { name: 'What would you like to do?' })).toBeVisible()
  await run('anchor')
  await expect(window.getByText('Noted.')).toBeVisible()

  await keyboard.press('Control+I')
  await expect(window.getByRole('heading', { name: 'Inbox' })).toBeVisible()
  await keyboard.press('Control+,')
  await expect(window.getByRole('heading', { name: 'Settings', level: 1 })).toBeVisible()
  await keyboard.press('Control+L')
  await expect(composer(window)).toBeFocused()
  await keyboard.press('Control+B')
  await expect(window.getByRole('navigation', { name: 'Sessions' })).toBeHidden()
  await keyboard.press('Control+B')
  await expect(window.getByRole('navigation', { name: 'Sessions' })).toBeVisible()
  await keyboard.press('Control+J')
  await expect(window.getByRole('region', { name: 'Terminals' })).toBeVisible()
  await keyboard.press('Control+J')
  await expect(window.getByRole('region', { name: 'Terminals' })).toBeHidden()

  await run('keyboard shortcuts')
  const sheet = window.getByRole('dialog', { name: 'Keyboard shortcuts' })
  await expect(sheet).toContainText('Next approval')
  await deckhand.screenshot('shortcuts')
  await keyboard.press('Escape')
  await expect(sheet).toBeHidden()
})

test('a window of 900 by 600 shows everything, with the deck as a drawer', async ({ deckhand, model }) => {
  const { app, window } = deckhand
  const resize = async (to: { width: number; height: number }) => {
    await app.evaluate(
      ({ BrowserWindow }, { width, height }) => BrowserWindow.getAllWindows()[0]?.setContentSize(width, height),
      to,
    )
    await expect(async () => expect(await window.evaluate(() => innerWidth)).toBe(to.width)).toPass()
  }
  const sidebar = () => window.getByRole('navigation', { name: 'Sessions' }).evaluate((column) => column.clientWidth)
  const width = await sidebar()
  await resize({ width: 900, height: 600 })
  const fits = () => window.evaluate(() => document.documentElement.scrollWidth <= innerWidth)
  await picture(deckhand, 'narrow-welcome')
  model.push(calls('Bash', { command: 'touch a-file.txt && ls -la && git status --short' }), says('There it is.'))
  await say(window, 'Try the narrow window')
  await expect(card(window)).toBeVisible()
  await expect(card(window).getByRole('button', { name: 'Allow once' })).toBeInViewport({ ratio: 1 })
  await expect(window.getByRole('region', { name: 'Terminals' })).toBeHidden()
  expect(await fits()).toBe(true)
  await picture(deckhand, 'narrow-approval')
  await answer(card(window), 'Allow once')
  await expect(window.getByText('There it is.')).toBeVisible()
  await window.getByRole('button', { name: 'Show or hide the deck' }).click()
  await expect(screenOf(pane(window, /a-file/))).toContainText('a-file.txt')
  await expect(window.getByRole('dialog', { name: 'Deck' })).toBeInViewport()
  await picture(deckhand, 'narrow-deck')
  await window.getByRole('button', { name: 'Close the deck' }).click()
  await expect(window.getByRole('region', { name: 'Terminals' })).toBeHidden()

  // A question does not take the deck away from somebody who types in it: it is announced there, and a click leads to it.
  const typing = gate()
  model.push([{ gate: typing }, { call: 'Bash', args: { command: 'touch other.txt' } }], says('Both are there.'))
  await say(window, 'Make another one')
  await typing.reached
  await window.keyboard.press('Control+Shift+T')
  const own = pane(window, /./).filter({ hasText: 'running' })
  await typeInto(own, 'echo half a')
  await expect(window.getByText('The agent is waiting for your answer.')).toBeHidden()
  typing.open()
  const deck = window.getByRole('dialog', { name: 'Deck' })
  await expect(deck.getByRole('status').filter({ hasText: 'The agent is waiting for your answer.' })).toBeInViewport()
  await window.keyboard.type(' line\n')
  await expect(screenOf(own)).toContainText('half a line')
  await picture(deckhand, 'narrow-deck-waiting')
  await bringAxe(window)
  await expectNoBarriers(deckhand, 'a question behind the deck')
  await deck.getByRole('button', { name: 'Show' }).click()
  await expect(deck).toBeHidden()
  await expect(card(window, 'other.txt').getByRole('button', { name: 'Allow once' })).toBeInViewport({ ratio: 1 })
  await answer(card(window, 'other.txt'), 'Allow once')
  await expect(window.getByText('Both are there.')).toBeVisible()
  for (const key of ['Control+I', 'Control+,']) {
    await window.keyboard.press(key)
    expect(await fits()).toBe(true)
  }
  await picture(deckhand, 'narrow-settings')

  // The sidebar is as wide as before, with and without the deck beside it.
  await expect.poll(sidebar).toBe(width)
  await resize({ width: 1280, height: 800 })
  await expect.poll(sidebar).toBe(width)
  await window.keyboard.press('Control+L')
  await expect(window.getByRole('region', { name: 'Terminals' })).toBeVisible()
  await expect.poll(sidebar).toBe(width)
})
