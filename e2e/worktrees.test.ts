import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from './app'
import { bringAxe, expectNoBarriers } from './barriers'
import { calls, says } from './scripted-model'
import { answer, card, chooseMode, picture, say, sessionRow } from './steps'

test('a session gets a branch, a folder and a port of its own, and is merged when it is done', async ({
  deckhand,
  model,
}) => {
  const { window, workspace } = deckhand
  const git = (...args: string[]): string => execFileSync('git', args, { cwd: workspace, encoding: 'utf8' })
  git('init', '-q', '-b', 'main')
  git('config', 'user.name', 'Test')
  git('config', 'user.email', 'test@example.org')
  writeFileSync(join(workspace, '.gitignore'), '.env\n')
  writeFileSync(join(workspace, '.env'), 'KEY=1\n')
  writeFileSync(join(workspace, 'a.txt'), 'one\n')
  git('add', '.')
  git('commit', '-qm', 'first')
  await chooseMode(window, 'Allow everything')

  await window.getByRole('button', { name: 'New session in a work tree' }).click()
  const creating = window.getByRole('dialog', { name: 'New session in a work tree' })
  await creating.getByLabel('Name (optional)').fill('Fix login')
  await creating.getByLabel('Set-up command (optional)').fill('echo ready on $PORT > ready.log')
  await picture(deckhand, 'worktree-new')
  await bringAxe(window)
  await expectNoBarriers(deckhand, 'new work tree')
  await creating.getByRole('button', { name: 'Create' }).click()

  const chip = window.getByRole('button', { name: /^Work tree deckhand\/fix-login, port 3010/ })
  await expect(chip).toBeVisible()
  const folder = join(workspace, '../workspace.worktrees/fix-login')
  await expect.poll(() => existsSync(join(folder, 'ready.log'))).toBe(true)
  expect(readFileSync(join(folder, 'ready.log'), 'utf8')).toBe('ready on 3010\n')
  expect(readFileSync(join(folder, '.env'), 'utf8')).toBe('KEY=1\n')

  model.push(
    calls('Bash', {
      command: 'rm ready.log; echo $PORT > b.txt; git add b.txt; git commit -qm "Add b"; echo later > c.txt',
    }),
    says('Committed.'),
  )
  await say(window, 'Add b')
  await expect(window.getByText('Committed.')).toBeVisible({ timeout: 60_000 })
  await chip.click()
  const ending = window.getByRole('dialog', { name: 'Work tree deckhand/fix-login' })
  await expect(ending).toContainText('c.txt is not committed. Commit in Review first.')
  await expect(ending.getByRole('button', { name: 'Merge' })).toBeDisabled()
  await picture(deckhand, 'worktree-end')
  await expectNoBarriers(deckhand, 'ends of a work tree')
  await ending.getByRole('button', { name: 'Close' }).click()

  execFileSync('git', ['clean', '-fq'], { cwd: folder })
  await chip.click()
  await expect(ending).toContainText('Merges 1 commit of deckhand/fix-login into main: b.txt.')
  await ending.getByRole('button', { name: 'Merge' }).click()
  await expect(ending).toBeHidden()
  await expect(chip).toBeHidden()
  expect(readFileSync(join(workspace, 'b.txt'), 'utf8')).toBe('3010\n')
  expect(existsSync(folder)).toBe(false)
  expect(git('branch', '--list', 'deckhand/*')).toBe('')
})

test('an edit of what another session has changed meanwhile asks, with both differences', async ({
  deckhand,
  model,
}) => {
  const { window, workspace } = deckhand
  const file = join(workspace, 'menu.md')
  writeFileSync(file, '# Menu\n\nSoup\nBread\n')
  await chooseMode(window, 'Allow everything')
  model.push(calls('Read', { path: 'menu.md' }), says('Read it.'))
  await say(window, 'Look at the menu')
  await expect(window.getByText('Read it.')).toBeVisible({ timeout: 60_000 })
  await window.keyboard.press('Control+N')
  await expect(window.getByRole('heading', { name: 'What would you like to do?' })).toBeVisible()
  await chooseMode(window, 'Allow everything')
  model.push(calls('Write', { path: 'menu.md', content: '# Menu\n\nFish\nBread\n' }), says('Fish it is.'))
  await say(window, 'Make it fish')
  await expect(window.getByText('Fish it is.')).toBeVisible()

  await sessionRow(window, 'Look at the menu').click()
  model.push(calls('Write', { path: 'menu.md', content: '# Menu\n\nSoup\nCake\n' }), says('Left as it is.'))
  await say(window, 'Add cake')
  const waiting = card(window, 'the session “Make it fish” changed menu.md after this session last read it')
  await expect(waiting).toContainText('menu.md (changed by the session “Make it fish”)')
  await expect(waiting).toContainText('Cake')
  await bringAxe(window)
  await expectNoBarriers(deckhand, 'a collision')
  await picture(deckhand, 'collision')
  await answer(waiting, /^Deny(?! with)/)
  await expect(window.getByText('Left as it is.')).toBeVisible()
  expect(readFileSync(file, 'utf8')).toContain('Fish')
})
