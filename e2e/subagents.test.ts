import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from './app'
import { calls, gate, says } from './scripted-model'
import { picture, say, sessionRow, toolLine } from './steps'

test('a sub-agent is watched, opened and stopped on the card of its call', async ({ deckhand, model }) => {
  const { window, workspace } = deckhand
  writeFileSync(join(workspace, 'tide.txt'), 'High water at noon\n')
  const [reading, waiting] = [gate(), gate()]
  model.push(
    calls('Task', { prompt: 'When is high water? Look into tide.txt.', description: 'Look up the tide' }),
    calls('Read', { path: 'tide.txt' }),
    [{ gate: reading }, { text: 'High water is at **noon**.' }],
    says('At noon.'),
    calls('Task', { prompt: 'Read everything', description: 'Read a lot' }),
    [{ text: 'So far ' }, { gate: waiting }],
    says('Then without it.'),
  )
  await say(window, 'When can we leave?')
  const task = toolLine(window, 'Look up the tide')
  await expect(task).toHaveAttribute('aria-expanded', 'true')
  const steps = window.getByRole('list').filter({ hasText: 'tide.txt' })
  await expect(steps.first()).toContainText('Read')
  await picture(deckhand, 'subagent-at-work')
  reading.open()
  await expect(window.getByText('At noon.')).toBeVisible()
  await expect(task).toContainText('1 step')

  await task.click()
  await expect(window.getByText('High water is at noon.')).toBeVisible()
  await picture(deckhand, 'subagent-done')
  await expect(sessionRow(window, 'Look up the tide')).toHaveCount(0)
  await window.getByRole('button', { name: 'Open', exact: true }).click()
  await expect(window.getByText('When is high water? Look into tide.txt.')).toBeVisible()
  await sessionRow(window, 'When can we leave?').click()

  await say(window, 'And the rest?')
  await waiting.reached
  await expect(toolLine(window, 'Read a lot')).toHaveAttribute('aria-expanded', 'true')
  await window.locator('.chat-tool-body').getByRole('button', { name: 'Stop' }).click()
  await expect(window.getByText('Then without it.')).toBeVisible()
  waiting.open()
  await expect(toolLine(window, 'Read a lot')).toContainText('failed')
})

test('several sub-agents work side by side, each on its own card, and all answers come back', async ({
  deckhand,
  model,
}) => {
  const { window, workspace } = deckhand
  const places = ['north', 'east', 'south']
  for (const place of places) writeFileSync(join(workspace, `${place}.txt`), `Wind in the ${place}\n`)
  const answers = places.map(() => gate())
  model.push(
    places.map((place) => ({
      call: 'Task',
      args: { prompt: `Look into ${place}.txt`, description: `Ask the ${place}` },
      id: `call_${place}`,
    })),
    ...places.map((place) => calls('Read', { path: `${place}.txt` })),
    ...answers.map((held, index) => [{ gate: held }, { text: `Answer ${index + 1}` }]),
    says('All three are in.'),
  )
  await say(window, 'Where is the wind?')
  // All of them have read their file and wait for the model at the same time: none waited for another.
  await Promise.all(answers.map(({ reached }) => reached))
  for (const place of places) {
    await expect(toolLine(window, `Ask the ${place}`)).toHaveAttribute('aria-expanded', 'true')
  }
  const reading = window
    .locator('.chat-tool-body')
    .getByRole('list')
    .filter({ hasText: /(?:north|east|south)\.txt/ })
  await expect(reading).toHaveCount(places.length)
  await picture(deckhand, 'subagents-side-by-side')

  // The last one may answer first.
  for (const held of answers.toReversed()) held.open()
  await expect(window.getByText('All three are in.')).toBeVisible()
  for (const place of places) await expect(toolLine(window, `Ask the ${place}`)).toContainText('1 step')
  const told = model.requests.at(-1)?.body.messages.filter(({ role }: { role: string }) => role === 'tool')
  expect(told.map(({ tool_call_id }: { tool_call_id: string }) => tool_call_id)).toEqual(
    places.map((place) => `call_${place}`),
  )
  expect(told.map(({ content }: { content: string }) => content).sort()).toEqual(['Answer 1', 'Answer 2', 'Answer 3'])
})
