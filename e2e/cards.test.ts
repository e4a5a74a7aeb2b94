import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from './app'
import { says } from './scripted-model'
import { card, composer, openPage, picture, say } from './steps'

const bash = (...commands: string[]) => commands.map((command) => ({ call: 'Bash', args: { command } }))

test('several calls of one message are answered together, by keyboard, and the dangerous one alone', async ({
  deckhand,
  model,
}) => {
  const { window, workspace } = deckhand
  const has = (name: string) => existsSync(join(workspace, name))
  model.push(bash('touch one.txt', 'touch two.txt', 'sudo true', 'touch three.txt'), says('All done.'))
  await say(window, 'Make three files')
  await expect(card(window)).toHaveCount(4)
  const bar = window.getByRole('region', { name: 'Calls that wait together' })
  await expect(bar).toContainText('4 calls are waiting')
  await expect(bar.getByRole('listitem')).toHaveText(['touch one.txt', 'touch two.txt', 'touch three.txt'])
  await expect(bar).toContainText('One more needs a typed word. Answer it on its own card.')
  await expect(card(window, 'touch two.txt')).toContainText('For this session, allows touch two.txt, and nothing else.')
  await expect(bar).toBeInViewport()
  await picture(deckhand, 'cards-together')
  await openPage(window, 'Inbox')
  await expect(bar.getByRole('button', { name: 'Allow all 3' })).toBeVisible()
  await picture(deckhand, 'cards-together-inbox')
  await window.keyboard.press('Control+L')
  await expect(composer(window)).toBeFocused()

  // From one of the cards, and not from words in the message box.
  await composer(window).fill('wait')
  await window.waitForTimeout(500)
  await composer(window).press('Control+Alt+Enter')
  await expect(card(window)).toHaveCount(4)
  await composer(window).fill('')
  await card(window, 'touch two.txt').focus()
  await window.keyboard.press('Control+Alt+Enter')
  await expect(card(window)).toHaveCount(1)
  await expect(card(window, 'sudo true')).toBeFocused()
  await expect.poll(() => [has('one.txt'), has('two.txt'), has('three.txt')]).toEqual([true, true, false])
  await window.waitForTimeout(450)
  await window.keyboard.press('Control+Backspace')
  await expect(window.getByText('All done.')).toBeVisible()
  expect(has('three.txt')).toBe(true)
})
