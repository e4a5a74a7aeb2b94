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
