import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from './app'
import { says, scriptedModel } from './scripted-model'
import { composer, openPage, picture, say } from './steps'

test.describe('on a first start', () => {
  test.use({ launch: { settings: null } })

  test('a provider is added, tested and used; the theme and the numbers are kept', async ({ deckhand, model }) => {
    const { window } = deckhand
    await openPage(window, 'Settings')
    await expect(window.getByText('No provider yet')).toBeVisible()
    await picture(deckhand, 'settings-first')
    await window.getByRole('button', { name: 'Other' }).click()
    const form = window.getByRole('form', { name: 'New provider' })
    await form.getByRole('button', { name: 'Save' }).click()
    await expect(form.getByRole('alert').first()).toBeVisible()
    await form.getByLabel('Name').fill('My server')
    await form.getByLabel('Base URL').fill('http://127.0.0.1:9/v1')
    await form.getByLabel('Key').fill('sk-test-4711')
    await form.getByRole('button', { name: 'Test connection' }).click()
    await expect(form.locator('output')).toHaveAttribute('data-tone', 'bad')
    await form.getByLabel('Base URL').fill(model.baseUrl)
    await form.getByRole('button', { name: 'Test connection' }).click()
    await expect(form.locator('output')).toHaveAttribute('data-tone', 'good')
    await picture(deckhand, 'settings-provider')
    await form.getByRole('button', { name: 'Save' }).click()
    await expect(window.getByRole('heading', { name: 'My server' })).toBeVisible()
    await window.getByRole('button', { name: /^1 model of/ }).click()
    await expect(window.getByRole('list', { name: 'Models' })).toContainText('scripted')

    // The theme holds whatever the system says.
    await window.emulateMedia({ colorScheme: 'light' })
    await window.getByRole('combobox', { name: 'Theme' }).click()
    await window.getByRole('option', { name: 'Dark' }).click()
    await expect(window.locator('html')).toHaveAttribute('data-theme', 'dark')
    const steps = window.getByRole('textbox', { name: 'Steps per turn' })
    await steps.fill('0')
    await expect(window.getByRole('alert')).toBeVisible()
    await steps.fill('12')
    await expect(window.getByText('Saved').first()).toBeVisible()

    await window.keyboard.press('Control+N')
    await window.getByRole('button', { name: /^Model: / }).click()
    await window.getByPlaceholder('Find a model').fill('scripted')
    await deckhand.screenshot('model-picker')
    await window.getByRole('option', { name: /scripted/ }).click()
    await expect(window.getByRole('button', { name: 'Model: scripted' })).toBeVisible()
    model.push(says('A real answer.'))
    await say(window, 'Hello')
    await expect(window.getByText('A real answer.')).toBeVisible()
    expect(model.requests[0]?.headers.authorization).toBe('Bearer sk-test-4711')

    const again = await deckhand.relaunch()
    await expect(again.getByText('A real answer.')).toBeVisible()
    await expect(again.locator('html')).toHaveAttribute('data-theme', 'dark')
    await openPage(again, 'Settings')
    await expect(again.getByRole('textbox', { name: 'Steps per turn' })).toHaveValue('12')
    expect(readFileSync(join(deckhand.dataDir, 'settings.json'), 'utf8')).not.toContain('sk-test-4711')
  })
})

test('a provider that speaks Anthropic’s API works too', async ({ deckhand }) => {
  const { window } = deckhand
  const claude = await scriptedModel([says('Said the other way.')], { models: ['claude-scripted'] })
  try {
    await openPage(window, 'Settings')
    await window.getByRole('button', { name: 'Anthropic', exact: true }).click()
    const form = window.getByRole('form', { name: 'New provider' })
    await form.getByLabel('Base URL').fill(claude.baseUrl)
    await form.getByLabel('Key').fill('sk-ant-test')
    await form.getByRole('button', { name: 'Save' }).click()
    await expect(window.getByRole('heading', { name: 'Anthropic' })).toBeVisible()
    await window.keyboard.press('Control+L')
    await window.getByRole('button', { name: /^Model: / }).click()
    await window.getByRole('option', { name: /claude-scripted/ }).click()
    await say(window, 'Hello')
    await expect(window.getByText('Said the other way.')).toBeVisible()
    expect(claude.requests[0]).toMatchObject({ api: 'anthropic' })
    expect(claude.requests[0]?.headers['x-api-key']).toBe('sk-ant-test')
  } finally {
    await claude.close()
  }
})

test('a settings file that cannot be read is kept aside and told of', async ({ deckhand }) => {
  await expect(composer(deckhand.window)).toBeVisible()
  await deckhand.quit()
  writeFileSync(join(deckhand.dataDir, 'settings.json'), '{ "theme": "dark", oh no')
  const window = await deckhand.relaunch()
  await expect(window.getByText(/The settings file could not be read. It was kept as /).first()).toBeVisible()
  await picture(deckhand, 'settings-broken')
  const [kept] = readdirSync(deckhand.dataDir).filter((name) => /^settings\.broken-.*\.json$/.test(name))
  expect(readFileSync(join(deckhand.dataDir, kept ?? ''), 'utf8')).toContain('oh no')
  await expect(composer(window)).toBeVisible()
})
