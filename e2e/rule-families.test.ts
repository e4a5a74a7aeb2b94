import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from './app'
import { bringAxe, expectNoBarriers } from './barriers'
import { calls, says } from './scripted-model'
import { answer, card, openPage, picture, say } from './steps'

test('one rule covers all scripts of the project until one of them changes', async ({ deckhand, model }) => {
  const { window, workspace } = deckhand
  const write = (scripts: Record<string, string>) =>
    writeFileSync(join(workspace, 'package.json'), JSON.stringify({ name: 'p', scripts }, null, 2))
  write({ hello: 'echo hello', lint: 'echo lint', test: 'echo test', release: 'npm publish' })

  model.push(calls('Bash', { command: 'npm run hello' }), says('Said hello.'))
  await say(window, 'Say hello')
  await answer(card(window), 'Allow once')
  await expect(window.getByText('Said hello.')).toBeVisible()

  model.push(calls('Bash', { command: 'npm run lint' }), calls('Bash', { command: 'npm test' }), says('Both ran.'))
  await say(window, 'Check it')
  const waiting = card(window)
  await waiting.getByRole('button', { name: 'Always' }).click()
  const offer = waiting.getByRole('list', { name: 'Rules to save' }).getByRole('button', { name: /any script/ })
  await expect(offer).toContainText(
    'Always allow npm run with any script of package.json (hello, lint and test, except release) in this workspace while the scripts and the files they name are unchanged',
  )
  await expect(offer).toContainText('Would have matched your last approval in this workspace')
  await picture(deckhand, 'rule-family-offered')
  await bringAxe(window)
  await expectNoBarriers(deckhand, 'a card with a rule for a family')
  await answer(waiting, /any script/)
  await expect(window.getByText('Both ran.')).toBeVisible()

  // The script has changed: it asks again, and shows what is new.
  write({ hello: 'echo hello', lint: 'echo lint && echo more', test: 'echo test', release: 'npm publish' })
  model.push(calls('Bash', { command: 'npm run lint' }), says('Not now.'))
  await say(window, 'Once more')
  await expect(card(window)).toContainText('scripts.lint has changed since you allowed this')
  await expect(card(window).locator('.approval-diff')).toContainText('echo more')
  await picture(deckhand, 'rule-family-changed')
  await answer(card(window), /^Deny(?! with)/)
  await expect(window.getByText('Not now.')).toBeVisible()

  // A folder of files is one rule as well.
  const files = ['one', 'two'].map((name) => calls('Write', { path: `src/${name}.ts`, content: `${name}\n` }))
  model.push(...files, says('Both written.'))
  await say(window, 'Write two files')
  await card(window).getByRole('button', { name: 'Always' }).click()
  await answer(card(window), /any file in src\//)
  await expect(window.getByText('Both written.')).toBeVisible()
  await openPage(window, 'Rules')
  await expect(window.getByRole('table')).toContainText('any file in src/, but not deleting, in this workspace')
  await picture(deckhand, 'rule-families-listed')
})
