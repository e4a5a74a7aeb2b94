import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from './app'
import { bringAxe, expectNoBarriers } from './barriers'
import { calls, says } from './scripted-model'
import { chooseMode, picture, say, toolLine } from './steps'

test('calls in a row fold into one line, with failures open and what changed below it', async ({ deckhand, model }) => {
  const { window, workspace } = deckhand
  writeFileSync(join(workspace, 'notes.txt'), 'one\ntwo\n')
  await chooseMode(window, 'Allow everything')
  model.push(
    ...[...Array(9)].map((_, at) => calls('Bash', { command: at === 5 ? 'echo broken; exit 3' : `echo step ${at}` })),
    calls('Write', { path: 'made.txt', content: 'made\n' }),
    says('All done.'),
  )
  await say(window, 'Do all of it')
  await expect(window.getByText('All done.')).toBeVisible({ timeout: 60_000 })
  const line = window.getByRole('button', { name: 'Ran 9 commands, edited 1 file 1 failed' })
  await expect(line).toHaveAttribute('aria-expanded', 'false')
  // The failure is open, what went well is not in the way.
  await expect(toolLine(window, 'exit 3')).toHaveAttribute('aria-expanded', 'true')
  await expect(toolLine(window, 'echo step 1')).toHaveCount(0)
  await expect(window.locator('.chat-run-changes')).toContainText('made.txt')
  await bringAxe(window)
  await expectNoBarriers(deckhand, 'folded calls')
  await picture(deckhand, 'desk-folded')
  await line.focus()
  await window.keyboard.press('Enter')
  await expect(toolLine(window, 'echo step 1')).toBeVisible()
  await expect(toolLine(window, 'made.txt')).toBeVisible()
  await picture(deckhand, 'desk-unfolded')
  await window.keyboard.press('Enter')
  await expect(toolLine(window, 'echo step 8')).toHaveCount(0)
})
