import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from './app'
import { bringAxe, expectNoBarriers } from './barriers'
import { calls, says } from './scripted-model'
import { picture, say } from './steps'

test('a folder that brings instructions says so once, and the head names what the agent gets', async ({
  deckhand,
  model,
}) => {
  const { window, workspace } = deckhand
  mkdirSync(join(workspace, 'pkg'))
  writeFileSync(join(workspace, 'CLAUDE.md'), 'Use tabs. @docs.md @../outside.md')
  writeFileSync(join(workspace, 'docs.md'), 'Words of docs.')
  writeFileSync(join(workspace, '../outside.md'), 'From outside.')
  writeFileSync(join(workspace, 'pkg/AGENTS.md'), 'Rules of pkg.')
  writeFileSync(join(workspace, 'pkg/file.txt'), 'hello')
  model.push(says('First.'), calls('Read', { path: 'pkg/file.txt' }), says('Second.'))
  await say(window, 'Hello')
  await expect(window.getByText('First.')).toBeVisible()
  const notice = window.getByRole('status').filter({ hasText: 'includes instructions' })
  await expect(notice).toContainText('CLAUDE.md and 1 more')
  expect(JSON.stringify(model.requests[0]?.body.messages)).toContain('has not confirmed')
  await picture(deckhand, 'instructions-notice')

  await notice.getByRole('button', { name: 'Show' }).click()
  const dialog = window.getByRole('dialog', { name: 'Instructions for the agent' })
  await expect(dialog.getByText('Words of docs.')).toBeVisible()
  await expect(dialog.getByText('From outside.')).toHaveCount(0)
  await bringAxe(window)
  await expectNoBarriers(deckhand, 'instructions')
  await picture(deckhand, 'instructions')
  await dialog.getByRole('button', { name: 'Include it' }).click()
  await expect(dialog.getByText('From outside.')).toBeVisible()
  await dialog.getByRole('button', { name: 'Follow this folder’s instructions' }).click()
  await expect(notice).toHaveCount(0)

  await say(window, 'Read it')
  await expect(window.getByText('Second.')).toBeVisible()
  await expect(window.getByRole('button', { name: 'Instructions: CLAUDE.md and 3 more' })).toBeVisible()
  const last = JSON.stringify(model.requests.at(-1)?.body.messages)
  expect(last).toContain('From outside.')
  expect(last).toContain('Rules of pkg.')

  // Asked once: another session of the folder has no such line.
  await window.getByRole('button', { name: 'New session', exact: true }).first().click()
  await expect(window.getByRole('button', { name: 'Instructions: CLAUDE.md and 2 more' })).toBeVisible()
  await expect(notice).toHaveCount(0)
})
