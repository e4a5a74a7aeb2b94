import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Locator, Page } from 'playwright'
import { expect, test } from './app'
import { bringAxe, expectNoBarriers } from './barriers'
import { calls, says } from './scripted-model'
import { answer, card, lastRequest, openPage, picture, say, sessionRow, toolLine } from './steps'

const bash = (command: string) => calls('Bash', { command })
const isConfinable = spawnSync('bwrap', ['--unshare-user', '--ro-bind', '/', '/', 'true']).status === 0
const sandboxSwitch = (window: Page): Locator => window.getByRole('switch', { name: 'Sandbox' })

test.skip(!isConfinable, 'bubblewrap is missing or not permitted here')

test('in a sandbox ordinary commands run unasked, and what it blocks is explained and can run outside', async ({
  deckhand,
  model,
}) => {
  const { window, workspace } = deckhand
  const outside = '/usr/local/share/deckhand-was-here'
  writeFileSync(join(workspace, 'install.sh'), `touch ${outside} && rm ${outside} && echo installed\n`)
  model.push(bash('echo made > made.txt && ls'), bash('sh install.sh'), says('The installation was blocked.'))
  await sandboxSwitch(window).click()
  await expect(sandboxSwitch(window)).toHaveAttribute('aria-checked', 'true')
  await say(window, 'Make and install it')
  await expect(window.getByText('The installation was blocked.')).toBeVisible()
  await expect(window.locator('.chat-header')).toContainText('Sandbox')
  expect(readFileSync(join(workspace, 'made.txt'), 'utf8')).toBe('made\n')
  expect(lastRequest(deckhand)).toContain(`[sandbox] It tried to write to ${outside}`)
  await expect(window.getByText(`It tried to write to ${outside}. The sandbox does not allow that.`)).toBeVisible()
  await toolLine(window, 'echo made').click()
  await expect(window.getByText('Ran without asking: this session runs in a sandbox.').first()).toBeVisible()
  await picture(deckhand, 'sandbox-blocked')
  await bringAxe(window)
  await expectNoBarriers(deckhand, 'a blocked command')

  model.push(says('Now it has run outside.'))
  await window.getByRole('button', { name: 'Run again outside the sandbox' }).click()
  await expect(card(window)).toContainText('Run a command outside the sandbox')
  await picture(deckhand, 'sandbox-run-outside')
  await answer(card(window), 'Allow once')
  await expect(window.getByText('Now it has run outside.')).toBeVisible()
  await expect(toolLine(window, 'sh install.sh')).toHaveCount(2)

  model.push(bash('curl https://example.org'), says('I leave it.'))
  await say(window, 'Fetch it')
  await expect(card(window)).toContainText('It connects to example.org')
  await expect(card(window)).toContainText('Run a command outside the sandbox')
  await answer(card(window), /^Deny(?! with)/)
  await expect(window.getByText('I leave it.')).toBeVisible()
})

test('what the sandbox keeps from a command in the background is told when it ends, with the way outside', async ({
  deckhand,
  model,
}) => {
  const { window, workspace } = deckhand
  const outside = '/usr/local/share/deckhand-was-here'
  writeFileSync(join(workspace, 'serve.sh'), `sleep 1; touch ${outside} && rm ${outside}\n`)
  model.push(calls('Bash', { command: 'sh serve.sh', background: true }), says('Started.'), says('It was blocked.'))
  await sandboxSwitch(window).click()
  await say(window, 'Start it')
  await expect(window.getByText('It was blocked.')).toBeVisible()
  expect(lastRequest(deckhand)).toContain(`[sandbox] It tried to write to ${outside}`)
  await expect(window.getByText(`It tried to write to ${outside}. The sandbox does not allow that.`)).toBeVisible()
  await expect(window.getByRole('button', { name: 'Run again outside the sandbox' })).toBeVisible()
  await picture(deckhand, 'sandbox-blocked-later')
})

test('the switch is kept with the session, and the hosts that it may reach with the settings', async ({
  deckhand,
  model,
}) => {
  model.push(says('Hello.'))
  await sandboxSwitch(deckhand.window).click()
  await say(deckhand.window, 'Hello')
  await expect(deckhand.window.getByText('Hello.')).toBeVisible()
  await openPage(deckhand.window, 'Settings')
  const hosts = deckhand.window.getByLabel('Allowed hosts')
  await hosts.fill('no host!')
  await hosts.press('Enter')
  await expect(deckhand.window.getByText('host! is not a host name.')).toBeVisible()
  await hosts.fill('packages.example.org *.example.com')
  await hosts.press('Enter')
  await expect(deckhand.window.getByText('host! is not a host name.')).toBeHidden()
  await picture(deckhand, 'sandbox-settings')

  const window = await deckhand.relaunch()
  await sessionRow(window, 'Hello').click()
  await expect(sandboxSwitch(window)).toHaveAttribute('aria-checked', 'true')
  await openPage(window, 'Settings')
  await expect(window.getByLabel('Allowed hosts')).toHaveValue('packages.example.org *.example.com')
})

test.describe('without bubblewrap', () => {
  test.use({ launch: { env: { PATH: '/nowhere' } } })
  test('the switch says so and stays off', async ({ deckhand }) => {
    const { window } = deckhand
    await expect(sandboxSwitch(window)).toHaveAttribute('aria-disabled', 'true')
    await sandboxSwitch(window).click({ force: true })
    await expect(sandboxSwitch(window)).toHaveAttribute('aria-checked', 'false')
    await sandboxSwitch(window).focus()
    await window.keyboard.press('Shift+Tab')
    await window.keyboard.press('Tab')
    await expect(window.getByRole('tooltip')).toContainText('bubblewrap is not installed')
  })
})

test('a command is tried in a copy: its changes are shown, thrown away, and taken over', async ({
  deckhand,
  model,
}) => {
  const { window, workspace } = deckhand
  const file = (name: string) => readFileSync(join(workspace, name), 'utf8')
  writeFileSync(join(workspace, 'list.txt'), 'apples\npears\nplums\n')
  model.push(bash('sed -i s/pears/peaches/ list.txt; echo "made by hand" > made.txt; echo finished'), says('Changed.'))
  await say(window, 'Change the list')
  await picture(deckhand, 'trial-offer')
  await card(window).getByRole('button', { name: 'Try it' }).click()
  await expect(card(window)).toContainText('changed 2 files')
  await expect(card(window)).toContainText('peaches')
  await expect(card(window)).toContainText('The trial has no network.')
  await picture(deckhand, 'trial-diff')
  await bringAxe(window)
  await expectNoBarriers(deckhand, 'a trial that has ended')
  expect([file('list.txt'), existsSync(join(workspace, 'made.txt'))]).toEqual(['apples\npears\nplums\n', false])

  await card(window).getByRole('button', { name: 'Discard' }).click()
  await card(window).getByRole('button', { name: 'Try it' }).click()
  await answer(card(window), 'Apply these changes')
  await expect(window.getByText('Changed.')).toBeVisible()
  expect([file('list.txt'), file('made.txt')]).toEqual(['apples\npeaches\nplums\n', 'made by hand\n'])
  expect(lastRequest(deckhand)).toContain('tried in a copy of the workspace')
  expect(lastRequest(deckhand)).toContain('finished')
})

test('a trial can be stopped, and is not applied once the file has changed', async ({ deckhand, model }) => {
  const { window, workspace } = deckhand
  writeFileSync(join(workspace, 'a.txt'), 'one\n')
  model.push(bash('echo two > a.txt; sleep 300'), bash('echo two > a.txt'), says('As you like.'))
  await say(window, 'Write it')
  await card(window).getByRole('button', { name: 'Try it' }).click()
  await card(window).getByRole('button', { name: 'Stop' }).click()
  await expect(card(window).getByRole('button', { name: 'Try it' })).toBeVisible()
  await answer(card(window), /^Deny(?! with)/)

  await card(window).getByRole('button', { name: 'Try it' }).click()
  await expect(card(window)).toContainText('changed 1 file')
  writeFileSync(join(workspace, 'a.txt'), 'mine\n')
  await answer(card(window), 'Apply these changes')
  await expect(window.getByText('As you like.')).toBeVisible()
  expect(readFileSync(join(workspace, 'a.txt'), 'utf8')).toBe('mine\n')
  expect(lastRequest(deckhand)).toContain('a.txt changed after the trial')
})
