/** Networks and accounts as people have them: a proxy by a PAC script, keys without a keychain, a sign-in by the browser. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type ProxyProcess, startProxy } from '../src-main/network/testing/proxy-process'
import { openRouterStandIn } from '../src-main/settings/testing/openrouter'
import { test as base, expect } from './app'
import { bringAxe, expectNoBarriers } from './barriers'
import { says } from './scripted-model'
import { openPage, picture, say } from './steps'

const behindProxy = base.extend<{ corporate: ProxyProcess }>({
  corporate: async ({ model }, use) => {
    const proxy = await startProxy({ user: 'me:open sesame', hosts: { 'models.example': new URL(model.baseUrl).host } })
    await use(proxy)
    await proxy.close()
  },
  launch: async ({ corporate: proxy }, use) => {
    const script = `function FindProxyForURL(url, host) {
      return host === 'models.example' ? 'PROXY 127.0.0.1:${proxy.port}' : 'DIRECT'
    }`
    const pac = `data:application/x-ns-proxy-autoconfig;base64,${Buffer.from(script).toString('base64')}`
    const models = [{ id: 'far/scripted', name: 'scripted', contextWindow: 128_000 }]
    const far = { id: 'far', name: 'Far', kind: 'openai', baseUrl: 'http://models.example/v1', models, listedAt: 1 }
    await use({ args: [`--proxy-pac-url=${pac}`], settings: { defaultModel: 'far/scripted', providers: [far] } })
  },
})

behindProxy(
  'a PAC script leads to a proxy, whose password is asked for and kept',
  async ({ deckhand, model, corporate: proxy }) => {
    const { window, dataDir } = deckhand
    await bringAxe(window)
    await say(window, 'Hello')
    await expect(
      window.getByText(/The proxy 127\.0\.0\.1:\d+ asks for a user name and a password \(407\)/),
    ).toBeVisible()
    await picture(deckhand, 'network-error')
    await window.getByRole('button', { name: 'Network settings' }).click()
    const section = window.getByRole('region', { name: 'Network' })
    await section.getByLabel('Proxy user name').fill('me')
    await section.getByLabel('Proxy user name').press('Enter')
    await section.getByLabel('Proxy password').fill('open sesame')
    await section.getByLabel('Proxy password').press('Enter')
    await expect(section.getByText('Password saved')).toBeVisible()
    await section.getByLabel('Test the connection').fill('http://models.example/')
    await section.getByRole('button', { name: 'Test' }).click()
    await expect(section.getByText(/models\.example was reached through the proxy 127\.0\.0\.1:\d+/)).toBeVisible()
    await section.scrollIntoViewIfNeeded()
    await picture(deckhand, 'settings-network')
    await expectNoBarriers(deckhand, 'the network settings')

    await window.keyboard.press('Control+L')
    model.push(says('Through the proxy.'))
    await window.getByRole('button', { name: 'Try again' }).click()
    await expect(window.getByText('Through the proxy.')).toBeVisible()
    expect(proxy.asked.at(-1)).toContain('http://models.example/v1/chat/completions')
    expect(readFileSync(join(dataDir, 'settings.json'), 'utf8')).not.toContain('sesame')
    const log = join(dataDir, 'logs/deckhand.log')
    if (existsSync(log)) expect(readFileSync(log, 'utf8')).not.toContain('sesame')
  },
)

base.describe('keys that are not kept', () => {
  base.use({ launch: { settings: null, env: { MY_MODEL_KEY: 'sk-from-the-environment' } } })

  base(
    'a key is read from a command or a variable, and is there again after a restart',
    async ({ deckhand, model }) => {
      const { window, dataDir } = deckhand
      await bringAxe(window)
      await openPage(window, 'Settings')
      await window.getByRole('button', { name: 'Other' }).click()
      const form = window.getByRole('form', { name: 'New provider' })
      await form.getByLabel('Name').fill('Mine')
      await form.getByLabel('Base URL').fill(model.baseUrl)
      await form.getByRole('combobox', { name: 'Credentials' }).click()
      await window.getByRole('option', { name: /^Command/ }).click()
      await form.getByLabel('Command').fill('echo "Error: mine is not in the password store." >&2; exit 1')
      await form.getByRole('button', { name: 'Test connection' }).click()
      await expect(form.getByText(/failed with exit code 1: Error: mine is not in the password store\./)).toBeVisible()
      await picture(deckhand, 'settings-key-command')
      await expectNoBarriers(deckhand, 'the form of a provider')
      await form.getByRole('combobox', { name: 'Credentials' }).click()
      await window.getByRole('option', { name: /^Environment variable/ }).click()
      await form.getByLabel('Variable').fill('MY_MODEL_KEY')
      await form.getByRole('button', { name: 'Test connection' }).click()
      await expect(form.locator('output')).toHaveAttribute('data-tone', 'good')
      await picture(deckhand, 'settings-key-variable')
      await form.getByRole('button', { name: 'Save' }).click()
      await expect(window.getByText('key from MY_MODEL_KEY')).toBeVisible()

      const again = await deckhand.relaunch()
      await again.getByRole('button', { name: /^Model: / }).click()
      await again.getByRole('option', { name: /scripted/ }).click()
      model.push(says('With a key.'))
      await say(again, 'Hello')
      await expect(again.getByText('With a key.')).toBeVisible()
      expect(model.requests.at(-1)?.headers.authorization).toBe('Bearer sk-from-the-environment')
      expect(readFileSync(join(dataDir, 'settings.json'), 'utf8')).not.toContain('sk-from-the-environment')
    },
  )
})

const withOpenRouter = base.extend<{ standIn: Awaited<ReturnType<typeof openRouterStandIn>> }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures from this pattern
  standIn: async ({}, use) => {
    const standIn = await openRouterStandIn()
    await use(standIn)
    await standIn.close()
  },
  launch: async ({ standIn }, use) => {
    await use({ settings: null, env: { DECKHAND_OPENROUTER_URL: standIn.base } })
  },
})

withOpenRouter('a sign-in at OpenRouter brings a provider with its key', async ({ deckhand, standIn }) => {
  const { app, window } = deckhand
  await app.evaluate(({ shell }) => {
    shell.openExternal = async (address) => void Object.assign(globalThis, { opened: address })
  })
  const opened = () => app.evaluate(() => (globalThis as { opened?: string }).opened ?? '')
  await openPage(window, 'Settings')
  const models = window.getByRole('region', { name: 'Models' })
  await expect(models.getByText('Claude and ChatGPT plans cannot be used here')).toBeVisible()
  await picture(deckhand, 'settings-sign-in')
  await models.getByRole('button', { name: 'Sign in with OpenRouter' }).click()
  await expect(models.getByText(/Continue in your browser/)).toBeVisible()
  await expect.poll(opened).toContain(`${standIn.base}/auth?callback_url=http%3A%2F%2Flocalhost%3A`)
  await picture(deckhand, 'settings-signing-in')
  expect((await fetch(await opened())).status).toBe(200)
  await expect(models.getByRole('heading', { name: 'OpenRouter' })).toBeVisible()
  await expect(models.getByText('key stored')).toBeVisible()
})
