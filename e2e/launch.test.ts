import { expect, test } from './app'
import { gate, says } from './scripted-model'

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
