import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect, test } from './app'
import { says } from './scripted-model'
import { openPage, picture, say } from './steps'

test('an agent’s file is written, survives a change on disk unharmed, and reaches the model', async ({
  deckhand,
  model,
}) => {
  const { window, dataDir } = deckhand
  const soul = join(dataDir, 'agents/main/SOUL.md')
  await openPage(window, 'Agents')
  const text = window.getByRole('textbox', { name: 'Text of SOUL.md' })
  await text.fill('You speak like an old sailor.\n')
  await expect(window.getByRole('region', { name: 'SOUL.md' })).toContainText('not saved')

  // Looking elsewhere loses nothing.
  await openPage(window, 'Inbox')
  await openPage(window, 'Agents')
  await expect(text).toHaveValue('You speak like an old sailor.\n')
  await text.press('Control+s')
  // The folder may not be there yet, and a poll would not look again after that.
  await expect(() => expect(readFileSync(soul, 'utf8')).toBe('You speak like an old sailor.\n')).toPass()
  await picture(deckhand, 'agents')

  await text.fill('You speak like a captain.\n')
  writeFileSync(soul, 'You speak like a cook.\n')
  await text.press('Control+s')
  const warning = window.getByRole('alert').filter({ hasText: 'changed on disk' })
  await expect(warning).toBeVisible()
  expect(readFileSync(soul, 'utf8')).toBe('You speak like a cook.\n')
  await warning.getByRole('button', { name: 'Keep mine' }).click()
  await expect.poll(() => readFileSync(soul, 'utf8')).toBe('You speak like a captain.\n')

  model.push(says('Aye.'))
  await window.getByRole('button', { name: 'Main session' }).click()
  await say(window, 'Who are you?')
  await expect(window.getByText('Aye.')).toBeVisible()
  expect(JSON.stringify(model.requests.at(-1)?.body.messages[0])).toContain('like a captain')
})

test('another agent is added, spoken to in a session of its own, and removed', async ({ deckhand, model }) => {
  const { window, dataDir } = deckhand
  await openPage(window, 'Agents')
  await window.getByRole('button', { name: 'Add agent' }).click()
  const dialog = window.getByRole('dialog', { name: 'Add an agent' })
  await dialog.getByLabel('Short name').fill('Not Good')
  await dialog.getByRole('button', { name: 'Add' }).click()
  await expect(dialog.getByRole('alert')).toBeVisible()
  await dialog.getByLabel('Short name').fill('research')
  await dialog.getByRole('button', { name: 'Add' }).click()
  const agents = window.getByRole('list', { name: 'Agents' }).getByRole('button')
  await expect(agents).toHaveCount(2)

  const folder = join(dataDir, 'agents/research')
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'SOUL.md'), 'You dig in archives.\n')
  model.push(says('I dig.'))
  await window.getByRole('button', { name: /^New session with / }).click()
  await say(window, 'What do you do?')
  await expect(window.getByText('I dig.')).toBeVisible()
  expect(JSON.stringify(model.requests.at(-1)?.body.messages[0])).toContain('dig in archives')

  await openPage(window, 'Agents')
  await agents.last().click()
  await window
    .getByRole('button', { name: /^More for / })
    .last()
    .click()
  await window.getByRole('menuitem', { name: /Remove/ }).click()
  await window.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
  await expect(agents).toHaveCount(1)
})

test('skills say whether they are offered and why not, and can be switched off', async ({ deckhand }) => {
  const { window, dataDir } = deckhand
  await openPage(window, 'Skills')
  await expect(window.getByRole('heading', { name: 'No skills yet' })).toBeVisible()
  const skill = (name: string, more: string) => {
    const folder = join(dataDir, 'skills', name)
    mkdirSync(folder, { recursive: true })
    writeFileSync(
      join(folder, 'SKILL.md'),
      `---\nname: ${name}\ndescription: Ties ${name} knots.\n${more}---\n\nPull.\n`,
    )
  }
  skill('bowline', '')
  skill('splice', 'metadata: {"gsv":{"requires":{"bins":["no-such-program"]}}}\n')
  await window.getByRole('button', { name: 'Refresh' }).click()
  const card = (name: string) =>
    window.getByRole('list', { name: 'Skills' }).getByRole('article', { name, exact: true })
  await expect(card('bowline')).toContainText('available')
  await expect(card('splice')).toContainText('no-such-program')
  await card('bowline').getByRole('button', { name: /^Text/ }).click()
  await expect(card('bowline').getByRole('region', { name: /^Text of/ })).toContainText('Pull.')
  await picture(deckhand, 'skills')
  await card('bowline').getByRole('switch').click()
  await expect(card('bowline')).toContainText('off')

  // What cannot be kept goes back, and says why.
  const settings = join(dataDir, 'settings.json')
  rmSync(settings)
  mkdirSync(join(settings, 'in-the-way'), { recursive: true })
  await card('bowline').getByRole('switch').click()
  await expect(window.getByRole('region', { name: /^Messages/ })).toContainText('settings.json')
  await expect(card('bowline').getByRole('switch')).not.toBeChecked()
  rmSync(settings, { recursive: true })
})

test('a channel is added, tried and removed, and its secret never comes back to the window', async ({ deckhand }) => {
  const posts: string[] = []
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (piece) => {
      body += piece
    })
    request.on('end', () => {
      posts.push(body)
      response.end('ok')
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const secret = `http://127.0.0.1:${(server.address() as AddressInfo).port}/services/hush-hush`
  try {
    const { window } = deckhand
    await openPage(window, 'Channels')
    await window.getByRole('button', { name: 'Add channel' }).click()
    await window.getByRole('menuitem', { name: /^Slack/ }).click()
    const form = window.getByRole('form', { name: 'New channel: Slack' })
    await form.getByRole('button', { name: 'Save' }).click()
    await expect(form.getByRole('alert')).toContainText('Enter the webhook')
    await form.getByLabel('Webhook').fill(secret)
    await expect(form.getByLabel('Webhook')).toHaveAttribute('type', 'password')
    await form.getByRole('button', { name: 'Save' }).click()
    const slack = window.getByRole('list', { name: 'Channels' }).getByRole('article', { name: 'slack', exact: true })
    await slack.getByRole('button', { name: 'Send test message' }).click()
    await expect.poll(() => posts.length).toBe(1)
    await expect(slack.locator('.page-report')).toHaveAttribute('data-tone', 'good')
    await picture(deckhand, 'channels')
    await slack.getByRole('button', { name: 'Edit slack' }).click()
    await expect(window.getByRole('form', { name: 'Edit slack' }).getByLabel('Webhook')).toHaveValue('')
    expect(await window.content()).not.toContain('hush-hush')
    await window.getByRole('form', { name: 'Edit slack' }).getByRole('button', { name: 'Cancel' }).click()
    await slack.getByRole('button', { name: 'Remove slack' }).click()
    await window.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
    await expect(slack).toHaveCount(0)
  } finally {
    server.close()
  }
})
