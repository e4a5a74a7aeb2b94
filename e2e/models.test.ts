import { test as base, expect } from './app'
import { calls, says } from './scripted-model'
import { answer, card, picture, say } from './steps'

const withModels = (models: object[], more: object = {}) =>
  base.extend({
    launch: async ({ model }, use) => {
      const provider = { id: 'scripted', name: 'Scripted', kind: 'openai', baseUrl: model.baseUrl, models, listedAt: 1 }
      await use({ settings: { providers: [provider], ...more } })
    },
  })

const thinker = {
  id: 'scripted/scripted',
  name: 'scripted',
  contextWindow: 128_000,
  efforts: ['low', 'medium', 'high'],
}
const plain = { id: 'scripted/plain', name: 'plain' }

withModels([thinker, plain])(
  'effort is chosen for a chat, and only where the model has levels',
  async ({ deckhand, model }) => {
    const { window } = deckhand
    const effort = window.getByRole('button', { name: /^Effort:/ })
    await expect(effort).toHaveAccessibleName('Effort: Default')
    model.push(says('One.'), says('Two.'), says('Three.'))
    await say(window, 'one')
    await expect(window.getByText('One.', { exact: true })).toBeVisible()
    expect(model.requests.at(-1)?.body).not.toHaveProperty('reasoning_effort')

    await effort.click()
    await expect(window.getByRole('menu')).toContainText(/Model default\s*Low\s*Medium\s*High$/)
    await picture(deckhand, 'effort')
    await window.getByText('High', { exact: true }).click()
    await expect(effort).toHaveAccessibleName('Effort: High')
    await say(window, 'two')
    await expect(window.getByText('Two.', { exact: true })).toBeVisible()
    expect(model.requests.at(-1)?.body.reasoning_effort).toBe('high')

    await window.getByRole('button', { name: /^Model:/ }).click()
    await window.getByRole('option', { name: /^plain/ }).click()
    await expect(effort).toBeHidden()
    await say(window, 'three')
    await expect(window.getByText('Three.', { exact: true })).toBeVisible()
    expect(model.requests.at(-1)?.body).not.toHaveProperty('reasoning_effort')
  },
)

withModels([thinker], { maxIterations: 2 })(
  'at the limit of steps the turn asks, and goes on',
  async ({ deckhand, model }) => {
    const { window } = deckhand
    model.push(calls('Glob', { pattern: 'a*' }), calls('Glob', { pattern: 'b*' }))
    await say(window, 'look')
    await expect(card(window, /Paused after 2 steps/)).toBeVisible()
    await picture(deckhand, 'step-pause')
    model.push(says('Found nothing.'))
    await answer(card(window), 'Continue')
    await expect(window.getByText('Found nothing.', { exact: true })).toBeVisible()
  },
)
