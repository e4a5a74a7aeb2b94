import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from './app'
import { calls, says } from './scripted-model'
import { answer, card, lastRequest, picture, say, toolLine } from './steps'

const bash = (command: string) => calls('Bash', { command })

test('a script is allowed as it is, and asks with the difference once it has changed', async ({ deckhand, model }) => {
  const { window, workspace } = deckhand
  const script = (text: string) => writeFileSync(join(workspace, 'check.sh'), text)
  script('echo checked\n')
  model.push(bash('sh check.sh'), bash('sh check.sh'), says('Checked twice.'))
  await say(window, 'Check it')
  await card(window).getByRole('button', { name: 'Always' }).click()
  const rule = 'Always allow sh check.sh in this workspace while check.sh is unchanged'
  await expect(card(window).getByRole('list', { name: 'Rules to keep' })).toContainText(rule)
  await answer(card(window), new RegExp(`^${rule}`))
  await expect(window.getByText('Checked twice.')).toBeVisible()

  script('echo checked\ntouch more.txt\n')
  model.push(bash('sh check.sh'), says('Checked again.'))
  await say(window, 'Once more')
  await expect(card(window)).toContainText('check.sh has changed since you allowed this')
  await expect(card(window)).toContainText('touch more.txt')
  expect(existsSync(join(workspace, 'more.txt'))).toBe(false)
  await picture(deckhand, 'gate-script-changed')
  await answer(card(window), 'Allow once')
  await expect(window.getByText('Checked again.')).toBeVisible()
})

test('a rule tells how it would have done, and for how long it holds', async ({ deckhand, model }) => {
  const { window } = deckhand
  model.push(
    bash('ls'),
    bash('touch a.txt'),
    bash('touch a.txt'),
    bash('ls && touch a.txt; rm -r src'),
    says('All done.'),
  )
  await say(window, 'Work')
  await answer(card(window), 'Allow once')
  await answer(card(window), /^Deny(?! with)/)
  await expect(card(window)).toContainText('rm deletes src')
  await picture(deckhand, 'gate-compound')
  await card(window).getByRole('button', { name: 'Edit' }).click()
  await card(window).getByLabel('The command to run instead').fill('touch a.txt')
  await picture(deckhand, 'gate-edited')
  await window.keyboard.press('Escape')
  await answer(card(window), /^Deny(?! with)/)
  await expect(window.getByText('All done.')).toBeVisible()
  await toolLine(window, 'ls').first().click()
  await picture(deckhand, 'gate-safe')

  model.push(bash('touch a.txt'), says('Kept.'))
  await say(window, 'Again')
  await card(window).getByRole('button', { name: 'Always' }).click()
  await expect(card(window)).toContainText(
    'It would have allowed 2 of the last 3 things you were asked, 1 of which you denied',
  )
  await card(window).getByRole('combobox').click()
  await window.getByRole('option', { name: 'for a week' }).click()
  await picture(deckhand, 'gate-rule-past')
  await answer(card(window), /^Always allow touch a.txt in this workspace/)
  await expect(window.getByText('Kept.')).toBeVisible()
})

test('danger is denied with a note, and an edit that is dangerous asks for the word', async ({ deckhand, model }) => {
  const { window } = deckhand
  model.push(bash('touch b.txt'), says('I see.'))
  await say(window, 'Try')
  await card(window).getByRole('button', { name: 'Edit' }).click()
  await card(window).getByLabel('The command to run instead').fill('rm -rf .git')
  await expect(async () => {
    await card(window).getByRole('button', { name: 'Run this instead' }).click({ timeout: 3000 })
    await expect(card(window)).toHaveAttribute('data-danger', 'true', { timeout: 3000 })
  }).toPass()
  await expect(card(window).getByRole('button', { name: 'Allow once' })).toBeDisabled()
  await picture(deckhand, 'gate-danger')
  await card(window).getByRole('button', { name: 'Deny with a note' }).click()
  await card(window).getByLabel('Why not, or what to do instead').fill('keep the history')
  await picture(deckhand, 'gate-denied-note')
  await answer(card(window), 'Deny')
  await expect(window.getByText('I see.')).toBeVisible()
  expect(lastRequest(deckhand)).toContain('keep the history')
})
