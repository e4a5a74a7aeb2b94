import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Locator, Page } from 'playwright'
import { expect, test } from './app'
import { calls, says } from './scripted-model'
import { answer, card, openPage, picture, sessionRow } from './steps'

const job = (window: Page, name: string): Locator =>
  window.getByRole('list', { name: 'Jobs' }).getByRole('article', { name, exact: true })

test('a job fires by itself, asks, is answered from the inbox and delivers to the app', async ({ deckhand, model }) => {
  const { window, workspace } = deckhand
  model.push(calls('Bash', { command: 'touch swept.txt' }), says('The deck is swept.'))

  await openPage(window, 'Schedule')
  await expect(window.getByRole('heading', { name: 'No scheduled jobs' })).toBeVisible()
  await window.getByRole('button', { name: 'New job' }).click()
  const form = window.getByRole('form', { name: 'New job' })
  await form.getByLabel('Name').fill('Sweep the deck')
  await form.getByRole('radio', { name: 'Once' }).click()
  await form.getByLabel('Time').fill('in 5 seconds')
  await form.getByLabel('Remove the job after it runs').uncheck()
  await form.getByRole('textbox', { name: 'Task' }).fill('Sweep it, and say so.')
  await form.getByRole('button', { name: 'Save' }).click()
  await expect(form).toBeHidden()

  // Nobody touches it: it starts when its time has come, and stops at what needs consent.
  await expect(job(window, 'Sweep the deck')).toContainText('Waiting for you: touch swept.txt', { timeout: 30_000 })
  expect(existsSync(join(workspace, 'swept.txt'))).toBe(false)
  await picture(deckhand, 'schedule')
  await openPage(window, 'Inbox')
  await expect(window.getByRole('region', { name: 'Inbox' })).toContainText('Sweep the deck')
  await answer(card(window, 'touch swept.txt'), 'Allow once')

  const message = window.getByRole('region', { name: /^Messages/ }).getByText(/The deck is swept/)
  await expect(message).toBeVisible()
  expect(existsSync(join(workspace, 'swept.txt'))).toBe(true)
  await openPage(window, 'Schedule')
  await expect(job(window, 'Sweep the deck')).toContainText(/Last\s*done/)
  await job(window, 'Sweep the deck')
    .getByRole('button', { name: /^History/ })
    .click()
  const run = job(window, 'Sweep the deck').getByRole('list', { name: 'Runs' }).getByRole('listitem')
  await expect(run).toHaveCount(1)
  await expect(run).toContainText('done')
  await run.getByRole('button', { name: 'Open session' }).click()
  await expect(window.getByText('Sweep it, and say so.')).toBeVisible()
  await expect(window.getByText('The deck is swept.').first()).toBeVisible()
})

test('a job is tried by hand, switched off, changed and removed', async ({ deckhand, model }) => {
  const { window } = deckhand
  await openPage(window, 'Schedule')
  await window.getByRole('button', { name: /^Every weekday at 9/ }).click()
  const form = window.getByRole('form', { name: 'New job' })
  await expect(form.locator('.schedule-preview')).toContainText(/Next: /)
  await form.getByLabel('Cron expression').fill('0 9 * *')
  await expect(form.locator('.schedule-preview')).toHaveAttribute('data-wrong', 'true')
  await form.getByLabel('Cron expression').fill('0 9 * * 1-5')
  await expect(form.locator('.schedule-preview')).toContainText(/Next: /)
  await form.getByRole('button', { name: 'Save' }).click()
  const morning = job(window, 'Morning summary')
  await expect(morning).toContainText('09:00')

  model.push(says('Nothing changed.'))
  await morning.getByRole('button', { name: 'Run Morning summary now' }).click()
  await expect(morning).toContainText(/Last\s*done/)

  await morning.getByRole('switch', { name: 'Morning summary is on' }).click()
  await expect(morning).toContainText(/Next\s*off/)

  await morning.getByRole('button', { name: 'More for Morning summary' }).click()
  await window.getByRole('menuitem', { name: 'Edit' }).click()
  const change = window.getByRole('form', { name: 'Edit Morning summary' })
  await change.getByLabel('Name').fill('Daily summary')
  await change.getByRole('button', { name: 'Save' }).click()
  await expect(job(window, 'Daily summary')).toContainText(/Next\s*off/)

  await job(window, 'Daily summary').getByRole('button', { name: 'More for Daily summary' }).click()
  await window.getByRole('menuitem', { name: /Remove/ }).click()
  await window.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
  await expect(window.getByRole('heading', { name: 'No scheduled jobs' })).toBeVisible()
  await expect(sessionRow(window, /Morning summary/)).toBeVisible()
})
