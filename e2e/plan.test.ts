import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from './app'
import { bringAxe, expectNoBarriers } from './barriers'
import { calls, gate, says } from './scripted-model'
import {
  card,
  chooseMode,
  composer,
  everySize,
  lastRequest,
  openPage,
  picture,
  say,
  sessionRow,
  toolLine,
} from './steps'

const plan = `## Greet in French

1. Read \`greeting.txt\`
2. Write **Bonjour** into it
3. Check the file`

test('a plan comes first: it can be edited, outlives a restart, and nothing changes before it is approved', async ({
  deckhand,
  model,
}) => {
  const { workspace } = deckhand
  const file = join(workspace, 'greeting.txt')
  writeFileSync(file, 'Hello\n')
  await chooseMode(deckhand.window, 'Plan first')
  model.push(
    calls('Write', { path: 'greeting.txt', content: 'too early\n' }),
    calls('Read', { path: 'greeting.txt' }),
    calls('SubmitPlan', { plan }),
  )
  await say(deckhand.window, 'Greet in French')
  await expect(card(deckhand.window)).toBeVisible()
  await expect(toolLine(deckhand.window, 'Write')).toContainText('denied')
  expect(readFileSync(file, 'utf8')).toBe('Hello\n')

  // A question is a row on disk.
  await deckhand.quit()
  const window = await deckhand.relaunch()
  await bringAxe(window)
  const waiting = card(window, 'Review the plan')
  await expect(waiting.getByRole('heading', { name: 'Greet in French' })).toBeVisible()
  await everySize(deckhand, 'plan-card')
  await expectNoBarriers(deckhand, 'a plan that waits')
  await openPage(window, 'Inbox')
  await expect(waiting.getByRole('button', { name: /^Approve plan/ })).toBeVisible()
  await picture(deckhand, 'plan-inbox')
  await window.getByRole('button', { name: 'Open session' }).click()

  // Edited, with the mode for the work, by keyboard.
  await waiting.focus()
  await window.keyboard.press('e')
  const text = waiting.getByRole('textbox', { name: 'The plan' })
  await expect(text).toBeFocused()
  await text.fill(`${plan}\n4. Keep it short`)
  await picture(deckhand, 'plan-edit')
  await expectNoBarriers(deckhand, 'a plan that is edited')
  await waiting.getByRole('combobox', { name: 'Approval while it works' }).click()
  await window.getByRole('option', { name: /^Allow in workspace/ }).click()
  const held = gate()
  const steps = (at: number) =>
    ['Read the greeting', 'Write Bonjour', 'Check the file'].map((each, index) => ({
      text: each,
      status: index < at ? 'done' : index === at ? 'active' : 'pending',
    }))
  model.push(
    calls('Todo', { items: steps(1) }),
    [{ text: 'Writing it. ' }, { gate: held }, { call: 'Write', args: { path: 'greeting.txt', content: 'Bonjour\n' } }],
    calls('Todo', { items: steps(3) }),
    says('Greeted.'),
  )
  await text.press('Control+Enter')
  await expect(waiting).toBeHidden()
  await expect(window.getByRole('button', { name: 'Approval: Allow in workspace' })).toBeVisible()

  // The list stays in sight while it lives, also after a reload.
  const list = window.getByRole('region', { name: 'Steps' })
  await expect(list).toContainText('1 of 3')
  await expect(list).toContainText('Write Bonjour')
  await window.reload()
  await expect(list).toContainText('1 of 3')
  await list.getByRole('button', { name: /1 of 3/ }).click()
  await expect(list.getByRole('listitem')).toHaveCount(3)
  await everySize(deckhand, 'plan-steps')
  held.open()
  await expect(window.getByText('Greeted.')).toBeVisible()
  await expect(list).toBeHidden()
  expect(readFileSync(file, 'utf8')).toBe('Bonjour\n')
  expect(lastRequest(deckhand)).toContain('4. Keep it short')
  await expect(toolLine(window, 'SubmitPlan')).toContainText('approved')
  await expect(window.getByText('You approved this plan.')).toBeVisible()
  await picture(deckhand, 'plan-approved')
})

test('changes can be asked for, and a list of steps can be put away', async ({ deckhand, model }) => {
  const { window } = deckhand
  await chooseMode(window, 'Plan first')
  model.push(
    calls('SubmitPlan', { plan: 'One long plan' }),
    calls('SubmitPlan', { plan: 'A short plan' }),
    [{ call: 'Todo', args: { items: [{ text: 'Ask again', status: 'pending' }] } }],
    says('What would you like instead?'),
  )
  await say(window, 'Do it')
  await card(window, 'One long plan').focus()
  await window.keyboard.press('n')
  const note = window.getByRole('textbox', { name: 'What should change' })
  await expect(note).toBeFocused()
  await note.fill('Shorter, please')
  await expect(async () => {
    await note.press('Enter', { timeout: 1000 })
    await expect(card(window, 'A short plan')).toBeVisible({ timeout: 3000 })
  }).toPass()
  expect(lastRequest(deckhand)).toContain('Shorter, please')
  await expect(async () => {
    await card(window, 'A short plan')
      .getByRole('button', { name: /^Reject/ })
      .click({ timeout: 1000 })
    await expect(card(window)).toBeHidden({ timeout: 3000 })
  }).toPass()
  await expect(window.getByText('What would you like instead?')).toBeVisible()
  await expect(window.getByRole('button', { name: 'Approval: Plan first' })).toBeVisible()
  const list = window.getByRole('region', { name: 'Steps' })
  await expect(list).toContainText('0 of 1')
  await list.getByRole('button', { name: /0 of 1/ }).click()
  await bringAxe(window)
  await expectNoBarriers(deckhand, 'steps above the message box')
  await list.getByRole('button', { name: 'Hide steps' }).click()
  await expect(list).toBeHidden()
  expect(existsSync(join(deckhand.workspace, 'greeting.txt'))).toBe(false)
  await expect(composer(window)).toBeVisible()
  await expect(sessionRow(window, 'Do it')).toBeVisible()
})
