import { test as base, expect } from './app'
import { says, type Turn } from './scripted-model'
import { answer, card, openPage, picture, say, sessionRow } from './steps'

const model = { id: 'scripted/scripted', name: 'scripted', contextWindow: 128_000 }

const withModel = (facts: object, more: object = {}) =>
  base.extend({
    launch: async ({ model: server }, use) => {
      const models = [{ ...model, ...facts }]
      const provider = {
        id: 'scripted',
        name: 'Scripted',
        kind: 'openai',
        baseUrl: server.baseUrl,
        models,
        listedAt: 1,
      }
      await use({ settings: { defaultModel: model.id, providers: [provider], ...more } })
    },
  })

const uses = (text: string, input: number, output: number, cached = 0): Turn => [
  ...says(text),
  { usage: { input, output, cached } },
]

withModel({ price: { input: 10, output: 20, cached: 1 } })(
  'the meter shows what the turn, the session and the month cost, and opens the history',
  async ({ deckhand, model: server }) => {
    const { window } = deckhand
    server.push(uses('First.', 60_000, 2000), uses('Second.', 64_000, 1000, 60_000))
    await say(window, 'How many boats are in the harbour?')
    await expect(window.getByText('First.', { exact: true })).toBeVisible()
    await say(window, 'And now?')
    await expect(window.getByText('Second.', { exact: true })).toBeVisible()
    const meter = window.getByRole('button', { name: /of context used/ })
    await expect(meter).toHaveAccessibleName('51% of context used. Show usage and cost')
    // $0.60 and $0.04 for the first turn; $0.04, $0.06 and $0.02 for the second.
    await expect(meter.getByText('$0.76').first()).toBeVisible()
    await meter.hover()
    const words = window.getByRole('tooltip')
    await expect(words).toContainText('$0.12: 64k in (94% cached), 1.0k out')
    await expect(words).toContainText('$0.76: 124k in (48% cached), 3.0k out')
    await expect(words).toContainText(/Month\s*\$0\.76/)
    await picture(deckhand, 'meter')

    await meter.click()
    const page = window.getByRole('region', { name: 'Usage' })
    await expect(page.getByRole('definition').first()).toHaveText('$0.76')
    await expect(page.getByRole('row')).toHaveCount(2)
    await picture(deckhand, 'usage-days')
    await page.getByRole('radio', { name: 'Model' }).click()
    await expect(page.getByRole('row', { name: /scripted\/scripted/ })).toContainText('48%')
    await page.getByRole('radio', { name: 'Session' }).click()
    await picture(deckhand, 'usage-sessions')
    await page.getByRole('button', { name: 'How many boats are in the harbour?' }).click()
    await expect(window.getByText('Second.', { exact: true })).toBeVisible()

    // It is kept: the history is there after a restart.
    const again = await deckhand.relaunch()
    await sessionRow(again, 'How many boats').click()
    await again.getByRole('button', { name: /of context used/ }).click()
    await expect(again.getByRole('region', { name: 'Usage' }).getByRole('definition').first()).toHaveText('$0.76')
  },
)

withModel({ price: { input: 1, output: 2 } })(
  'a cap is told of at 80 %, and asks before more is spent',
  async ({ deckhand, model: server }) => {
    const { window } = deckhand
    await openPage(window, 'Settings')
    await window.getByLabel('Cap for a session', { exact: true }).fill('0.042')
    await window.getByLabel('Cap for a session', { exact: true }).blur()
    await window.getByRole('button', { name: 'Spending' }).click()
    await expect(window.getByText('Saved').first()).toBeVisible()
    await picture(deckhand, 'spending-settings')
    await window.getByRole('button', { name: 'New session', exact: true }).first().click()
    server.push(uses('Counted.', 5000, 2000))
    await say(window, 'Count the boats')
    await expect(window.getByText(/^This session has used .* of its cap of \$0\.042; /)).toBeVisible()
    await expect(window.getByText('Counted.', { exact: true })).toBeVisible()

    await say(window, 'Once more')
    await expect(
      card(window, /more than the cap of \$0\.042 for this session\. Continue raises the cap to \$0\.084\./),
    ).toBeVisible()
    await picture(deckhand, 'cap')
    expect(server.requests).toHaveLength(1)
    server.push(uses('Counted again.', 5000, 100))
    await answer(card(window), 'Continue')
    await expect(window.getByText('Counted again.', { exact: true })).toBeVisible()
  },
)

withModel({})('what is known about a model can be corrected', async ({ deckhand, model: server }) => {
  const { window } = deckhand
  await openPage(window, 'Settings')
  const models = window.getByRole('list', { name: 'Models' })
  await window.getByRole('button', { name: /^1 model of/ }).click()
  await models.getByRole('button', { name: /scripted/ }).click()
  const form = window.getByRole('form', { name: 'Edit scripted' })
  await form.getByLabel('Input').fill('3')
  await form.getByRole('button', { name: 'Save' }).click()
  await expect(form.getByRole('alert')).toHaveText('Enter the prices for input and output, or none.')
  await form.getByLabel('Output').fill('15')
  await form.getByLabel('Cache read').fill('0.3')
  await form.getByLabel('Context window, in tokens').fill('64000')
  await picture(deckhand, 'model-correction')
  await form.getByRole('button', { name: 'Save' }).click()
  await expect(models).toContainText('64k context')
  await expect(models).toContainText('$3 in, $15 out per million tokens')

  await window.getByRole('button', { name: 'New session', exact: true }).first().click()
  server.push(uses('Yes.', 32_000, 1000, 30_000))
  await say(window, 'Is it so?')
  await expect(window.getByText('Yes.', { exact: true })).toBeVisible()
  const meter = window.getByRole('button', { name: /of context used/ })
  await expect(meter).toHaveAccessibleName('52% of context used. Show usage and cost')
  // $0.006 for what is new, $0.009 from the cache, $0.015 for the answer.
  await expect(meter).toContainText('$0.03')
})

withModel({ price: { input: 1, output: 2 } })(
  'a job has a cap for each run, and waits in the inbox at it',
  async ({ deckhand, model: server }) => {
    const { window } = deckhand
    await openPage(window, 'Schedule')
    await window.getByRole('button', { name: 'New job' }).click()
    const form = window.getByRole('form', { name: 'New job' })
    await form.getByLabel('Name').fill('Count the boats')
    await form.getByRole('radio', { name: 'Once' }).click()
    await form.getByLabel('Time').fill('in 5 seconds')
    await form.getByLabel('Remove the job after it runs').uncheck()
    await form.getByRole('textbox', { name: 'Task' }).fill('Count them.')
    await form.getByRole('button', { name: /^Limits/ }).click()
    await form.getByLabel('Cost limit').fill('0.01')
    await picture(deckhand, 'job-cap')
    await form.getByRole('button', { name: 'Save' }).click()
    await expect(form).toBeHidden()
    server.push(uses('Seven.', 3000, 100))
    const job = window.getByRole('article', { name: 'Count the boats', exact: true })
    await expect(job).toContainText('Waiting for you', { timeout: 30_000 })
    await openPage(window, 'Inbox')
    const question = card(window, /more than the cap of \$0\.01 for a run of this job/)
    await expect(question).toBeVisible()
    await picture(deckhand, 'job-cap-inbox')
    await answer(question, 'Continue')
    await openPage(window, 'Schedule')
    await expect(job).toContainText(/Last\s*done/)
    expect(server.requests).toHaveLength(1)
  },
)
