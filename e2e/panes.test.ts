import { expect, test } from './app'
import { calls, says } from './scripted-model'
import { answer, card, pane, picture, say, screenOf, toolLine, typeInto } from './steps'

test('the agent sees a terminal of the user’s, and types into it, once it may', async ({ deckhand, model }) => {
  const { window } = deckhand
  model.push(says('Aye.'), calls('CapturePane', {}), says('I see one terminal.'))
  await say(window, 'Hello')
  await expect(window.getByText('Aye.')).toBeVisible()
  await window.keyboard.press('Control+Shift+T')
  const terminal = pane(window, 'Terminal')
  await typeInto(terminal, 'echo from-the-user\n')
  await say(window, 'Which terminals are there?')
  await expect(window.getByText('I see one terminal.')).toBeVisible()
  const list = model.requests.at(-1)?.body.messages.at(-1).content
  const [{ target }] = JSON.parse(list).terminals
  expect(list).not.toContain('from-the-user')

  model.push(
    calls('CapturePane', { target }),
    calls('SendKeys', { target, text: 'echo "from-the-agent $((40 + 2))"', enter: true }),
    says('Typed it.'),
  )
  await say(window, 'Look, then type something')
  const look = card(window, 'see a terminal that it did not open')
  await expect(look).toBeVisible()
  await picture(deckhand, 'terminal-read-card')
  await answer(look, /^Allow once/)
  const type = card(window, 'from-the-agent')
  await expect(type).toBeVisible()
  await expect(screenOf(terminal)).not.toContainText('from-the-agent 42')
  await picture(deckhand, 'terminal-type-card')
  await answer(type, /^Allow once/)
  await expect(window.getByText('Typed it.')).toBeVisible()
  await expect(screenOf(terminal)).toContainText('from-the-agent 42')
  await expect(toolLine(window, 'CapturePane').first()).toBeVisible()
  const seen = model.requests.at(-1)?.body.messages.filter(({ role }: { role: string }) => role === 'tool')
  expect(seen.at(-2).content).toContain('from-the-user')
})
