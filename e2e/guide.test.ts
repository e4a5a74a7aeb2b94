import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from './app'
import { answer, card, composer, pane, picture, say, screenOf, toolLine } from './steps'

test.use({ launch: { settings: null } })

test('a newcomer without a model chats, approves and watches a terminal with the offline guide', async ({
  deckhand,
}) => {
  // Without settings the workspace is the home folder, which is this test's own.
  const { window } = deckhand
  const home = join(deckhand.workspace, '../home')
  await expect(window.getByText('The built-in offline guide answers until you add a model.')).toBeVisible()
  await picture(deckhand, 'first-run')
  await window.getByRole('button', { name: 'Add a model' }).click()
  await expect(window.getByRole('heading', { name: 'Models' })).toBeInViewport()
  await window.keyboard.press('Control+N')

  const suggestion = (name: string) => window.getByRole('button', { name: new RegExp(`^${name}`) })
  await suggestion('Run a command').click()
  await expect(toolLine(window, 'ls -la')).toContainText('done')
  await expect(screenOf(pane(window, 'ls -la'))).toContainText('total')

  await window.keyboard.press('Control+N')
  await suggestion('Create a file').click()
  await expect(card(window)).toContainText('Hello from Deckhand')
  await picture(deckhand, 'guide-write')
  await answer(card(window), 'Allow once')
  await expect(toolLine(window, 'hello.md')).toContainText('done')
  expect(readFileSync(join(home, 'hello.md'), 'utf8')).toContain('Hello from Deckhand')

  await window.keyboard.press('Control+N')
  await suggestion('Run something in the background').click()
  // In a cage it runs without a question; where there is no cage it asks.
  await expect(
    card(window)
      .or(pane(window, /while sleep 1/))
      .first(),
  ).toBeVisible()
  if (await card(window).isVisible()) await answer(card(window), 'Allow once')
  await expect(
    pane(window, /while sleep 1/)
      .getByText('running')
      .first(),
  ).toBeVisible()
  await expect(screenOf(pane(window, /while sleep 1/))).toContainText(/20\d\d/)
  await expect(window.getByRole('button', { name: 'Stop', exact: true })).toBeHidden()
  await picture(deckhand, 'guide-background')
  await say(window, 'stop it')
  await expect(
    card(window)
      .or(
        pane(window, /while sleep 1/)
          .getByText('SIG')
          .first(),
      )
      .first(),
  ).toBeVisible()
  if (await card(window).isVisible()) await answer(card(window), 'Allow once')
  await expect(pane(window, /while sleep 1/)).toHaveAttribute('data-live', 'false')
})

test('the guide greets, explains and acts on plain requests', async ({ deckhand }) => {
  const { window } = deckhand
  const home = join(deckhand.workspace, '../home')
  writeFileSync(join(home, 'README.md'), '# The readme of this test\n')
  writeFileSync(join(home, 'list.txt'), 'TODO: paint the hull\n')
  const last = window.getByRole('article', { name: 'Deckhand' }).last()
  await say(window, 'Hello')
  await expect(last).toContainText(/guide/i)
  await expect(window.getByRole('button', { name: /Model: .*guide/i })).toBeVisible()
  await say(window, 'read README.md')
  await expect(toolLine(window, 'README.md')).toContainText('done')
  await say(window, 'find TODO in list.txt')
  await expect(toolLine(window, 'TODO')).toContainText('done')
  await say(window, 'how do approvals work?')
  await expect(last).toContainText(/ask|allow/i)
  await say(window, 'sing me a song about the moon')
  await expect(last).toContainText(/guide|rules|model/i)
  await expect(composer(window)).toBeFocused()
  await picture(deckhand, 'guide-chat')
})
