import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from './app'
import { calls, says } from './scripted-model'
import { answer, card, lastRequest, picture, say, toolLine } from './steps'

const bash = (command: string) => calls('Bash', { command })
const isConfinable = spawnSync('bwrap', ['--unshare-user', '--ro-bind', '/', '/', 'true']).status === 0

test.skip(!isConfinable, 'bubblewrap is missing or not permitted here')

test('what runs without a question runs in the cage, and what that made fail is offered to run outside', async ({
  deckhand,
  model,
}) => {
  const { window, workspace } = deckhand
  const count = `awk 'BEGIN { for (i = 0; i < 3; i++) print "row " i }'`
  model.push(bash(`for i in 1 2; do ${count}; done`), says('Counted.'))
  await say(window, 'Count')
  await expect(window.getByText('Counted.')).toBeVisible()
  await toolLine(window, 'for i in').click()
  await expect(window.getByText('Ran in the cage')).toBeVisible()
  await picture(deckhand, 'cage-ran')

  model.push(bash(`perl -e 'open F, ">made.txt" or die "made.txt: $!\\n"; print F "made\\n"'`), says('It is there.'))
  await say(window, 'Make it')
  await expect(card(window)).toContainText('Run it outside')
  await expect(card(window)).toContainText('It tried to write')
  await picture(deckhand, 'cage-run-outside')
  await answer(card(window), 'Allow once')
  await expect(window.getByText('It is there.')).toBeVisible()
  expect(readFileSync(join(workspace, 'made.txt'), 'utf8')).toBe('made\n')
  expect(lastRequest(deckhand)).toContain('The user let it run outside')
})
