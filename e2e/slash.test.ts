import { join } from 'node:path'
import { expect, test } from './app'
import { bringAxe, expectNoBarriers } from './barriers'
import { calls, says } from './scripted-model'
import { answer, card, composer, lastRequest, openPage, picture, say, toolLine } from './steps'

const server = (...args: string[]) => ({
  command: 'node',
  args: [join(import.meta.dirname, '../src-main/mcp/test-modern-server.mjs'), ...args],
  enabled: true,
})
test.use({ launch: { settings: { mcpServers: { notes: server(), stuck: server('hangs') } } } })

test('a prompt of an MCP server is a slash command, and its resources go with a message', async ({
  deckhand,
  model,
}) => {
  const { window } = deckhand
  await bringAxe(window)
  await openPage(window, 'MCP servers')
  await expect(window.getByRole('article', { name: 'notes' }).getByText('ready')).toBeVisible({ timeout: 30_000 })
  await expect(window.getByRole('article', { name: 'notes' }).getByText('MCP 2026-07-28')).toBeVisible()
  await window.getByRole('button', { name: 'New session', exact: true }).first().click()

  await composer(window).pressSequentially('/wea')
  const list = window.getByRole('listbox', { name: 'Commands' })
  await expect(list.getByRole('option')).toHaveCount(2)
  await expect(list.getByRole('option', { name: /notes:weather/ })).toHaveAttribute('aria-selected', 'true')
  await picture(deckhand, 'slash-list')
  await expectNoBarriers(deckhand, 'the list of commands')
  await composer(window).press('ArrowDown')
  await expect(list.getByRole('option', { name: /stuck:weather/ })).toHaveAttribute('aria-selected', 'true')
  await composer(window).press('ArrowUp')
  await composer(window).press('Enter')
  await expect(composer(window)).toHaveValue('/notes:weather ')
  await expect(window.getByText('/notes:weather <place> [year]')).toBeVisible()
  await picture(deckhand, 'slash-hint')

  // Without what it needs it is not sent, and nothing that was typed is lost.
  await composer(window).press('Enter')
  await expect(window.getByText(/needs place\. Type: \/notes:weather/).first()).toBeVisible()
  await expect(composer(window)).toHaveValue('/notes:weather ')

  await window.getByRole('button', { name: 'Attach files' }).click()
  await window.getByRole('menuitem', { name: 'From an MCP server…' }).click()
  const dialog = window.getByRole('dialog', { name: 'Attach a resource' })
  await expect(dialog.getByRole('option')).toHaveCount(2)
  await picture(deckhand, 'resource-dialog')
  await expectNoBarriers(deckhand, 'the dialog of resources')
  await dialog.getByRole('option').first().click()
  await expect(window.getByRole('list', { name: 'Attached files' })).toContainText('notes://today')

  model.push(says('Sunny.'))
  await composer(window).pressSequentially('"New York" 2026')
  await composer(window).press('Enter')
  await expect(window.getByText('Sunny.')).toBeVisible()
  expect(lastRequest(deckhand)).toContain('What is the weather in New York, 2026?')
  expect(lastRequest(deckhand)).toContain('Buy bread.')
  const sent = window.getByRole('article', { name: 'You' })
  await expect(sent).toContainText('/notes:weather "New York" 2026')
  await sent.getByRole('button', { name: /^\/notes:weather/ }).click()
  await expect(sent).toContainText('What is the weather in New York, 2026?')
  await picture(deckhand, 'slash-sent')
})

test('the progress of an MCP tool is on its card, and stopping cancels it there', async ({ deckhand, model }) => {
  const { window } = deckhand
  await openPage(window, 'MCP servers')
  const stuck = window.getByRole('article', { name: 'stuck' })
  await expect(stuck.getByText('ready')).toBeVisible({ timeout: 30_000 })
  await window.getByRole('button', { name: 'New session', exact: true }).first().click()
  model.push(calls('stuck__slow', {}))
  await say(window, 'Take your time')
  await answer(card(window), 'Allow once')
  await expect(toolLine(window, 'stuck__slow')).toContainText('3 of 3: part 3')
  await picture(deckhand, 'mcp-progress')
  await window.getByRole('button', { name: 'Stop', exact: true }).click()
  await expect(toolLine(window, 'stuck__slow')).toContainText('stopped')
  await openPage(window, 'MCP servers')
  await stuck.getByRole('button', { name: 'Log of stuck' }).click()
  await expect(stuck.getByRole('region', { name: 'Log of stuck' })).toContainText('cancelled')
})
