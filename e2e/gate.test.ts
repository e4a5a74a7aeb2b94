import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from './app'
import { calls, says } from './scripted-model'
import { answer, card, lastRequest, openPage, picture, say, sessionRow, toolLine } from './steps'

const bash = (command: string) => calls('Bash', { command })

test('a script is allowed as it is, and asks with the difference once it has changed', async ({ deckhand, model }) => {
  const { window, workspace } = deckhand
  const script = (text: string) => writeFileSync(join(workspace, 'check.sh'), text)
  script('echo checked\n')
  model.push(bash('sh check.sh'), bash('sh check.sh'), says('Checked twice.'))
  await say(window, 'Check it')
  await card(window).getByRole('button', { name: 'Always' }).click()
  const rule = 'Always allow sh check.sh in this workspace while check.sh is unchanged'
  await expect(card(window).getByRole('list', { name: 'Rules to save' })).toContainText(rule)
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
  await expect(card(window)).toContainText('Would have matched 2 of your last 3 approvals, 1 of which you denied')
  await card(window).getByRole('combobox').click()
  await window.getByRole('option', { name: 'in a week' }).click()
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

test('a folder outside the workspace is opened by a rule, used, listed and closed again', async ({
  deckhand,
  model,
}) => {
  const { window, workspace } = deckhand
  const notes = join(workspace, '../home/notes')
  mkdirSync(notes)
  writeFileSync(join(notes, 'todo.md'), 'water the plants\n')
  model.push(calls('Read', { path: join(notes, 'todo.md') }), bash('cat ~/notes/todo.md'), says('Read twice.'))
  await say(window, 'What is to do?')
  await card(window).getByRole('button', { name: 'Always' }).click()
  await picture(deckhand, 'gate-folder')
  const rule = 'Always allow reading everything in ~/notes from this workspace'
  await answer(card(window), new RegExp(`^${rule}`))
  await expect(window.getByText('Read twice.')).toBeVisible()

  await openPage(window, 'Rules')
  const row = window.getByRole('row', { name: new RegExp(rule) })
  await expect(row.getByRole('cell').nth(2)).toHaveText('1')
  await picture(deckhand, 'rules-folder')
  await row.getByRole('button', { name: /^Revoke/ }).click()
  await expect(window.getByText('No rules yet')).toBeVisible()
  await sessionRow(window, 'What is to do').click()
  model.push(bash('cat ~/notes/todo.md'), says('Asked again.'))
  await say(window, 'And now?')
  await expect(card(window)).toContainText('reads outside the workspace: ~/notes/todo.md')
  await answer(card(window), /^Deny(?! with)/)
})

test('what is typed into a program is asked about once, until the program ends', async ({ deckhand, model }) => {
  const { window } = deckhand
  model.push(
    calls('Bash', { command: `perl -ne 'print "heard $_"; exit if /stop/' 2> errors.txt`, background: true }),
    says('Started.'),
  )
  await say(window, 'Start it')
  await answer(card(window), 'Allow once')
  await expect(window.getByText('Started.')).toBeVisible()
  const sessionId = /"sessionId\\?":\\?"([\w-]+)/.exec(JSON.stringify(model.requests.at(-1)?.body.messages))?.[1]
  const submit = (data: string) => calls('Process', { action: 'submit', sessionId, data })

  model.push(submit('one'), submit('two'), says('Told it twice.'))
  await say(window, 'Tell it')
  await expect(card(window)).toContainText('types into a program')
  await picture(deckhand, 'gate-typing')
  await answer(card(window), 'Allow until it exits')
  await expect(window.getByText('Told it twice.')).toBeVisible()
  await openPage(window, 'Rules')
  await expect(window.getByRole('row', { name: /typing anything into this program until it exits/ })).toContainText(
    'the process',
  )
  await picture(deckhand, 'rules-process')

  model.push(submit('stop'), says('It stopped.'), says('I see that it ended.'))
  await sessionRow(window, 'Start it').click()
  await say(window, 'Stop it')
  await openPage(window, 'Rules')
  await expect(window.getByText('No rules yet')).toBeVisible()
})

test('a patch tells for each file why it asks', async ({ deckhand, model }) => {
  const { window, workspace } = deckhand
  writeFileSync(join(workspace, 'a.txt'), 'one\n')
  const patch = [
    '*** Begin Patch',
    '*** Update File: a.txt\n-one\n+two',
    '*** Add File: ../outside.txt\n+new',
    '*** Add File: .github/workflows/run.yml\n+on: push',
    '*** End Patch',
  ].join('\n')
  model.push(calls('ApplyPatch', { patch }), says('Left alone.'))
  await say(window, 'Change three files')
  const files = card(window).getByRole('list', { name: 'Files' }).getByRole('listitem')
  await expect(files).toHaveCount(3)
  await expect(files.nth(0)).toContainText('a.txt')
  await expect(files.nth(1)).toContainText('writes outside the workspace')
  await picture(deckhand, 'gate-patch')
  await answer(card(window), /^Deny(?! with)/)
  await expect(window.getByText('Left alone.')).toBeVisible()
})
