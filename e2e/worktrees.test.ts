import { execFile, execFileSync } from 'node:child_process'
import { cpSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type Deckhand, expect, test } from './app'
import { bringAxe, expectNoBarriers } from './barriers'
import { calls, says } from './scripted-model'
import { answer, card, chooseMode, picture, say, sessionRow } from './steps'

test.use({ launch: { settings: { editor: 'custom', editorCommand: 'touch {file}.opened' } } })

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

/** `deckhand run` in the same folder, with the settings of the data that it is given. */
async function commandLine({ workspace }: Deckhand, ...words: string[]): Promise<string> {
  const program = join(import.meta.dirname, '../bin/deckhand.mjs')
  const env = { ...process.env, HOME: join(workspace, '../home'), SHELL: '/bin/sh' }
  const { stdout } = await promisify(execFile)(process.execPath, [program, 'run', '--approve', 'all', ...words], {
    cwd: workspace,
    env,
  })
  return stdout
}

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
  const theirs = waiting.getByRole('region', { name: 'Changes in menu.md by the session “Make it fish”' })
  await expect(theirs).toContainText('changed by the session “Make it fish”')
  await expect(theirs).toContainText('Fish')
  await expect(waiting.getByRole('region', { name: 'Changes in menu.md', exact: true })).toContainText('Cake')
  await bringAxe(window)
  await expectNoBarriers(deckhand, 'a collision')
  await picture(deckhand, 'collision')
  // Both paths lead to the file.
  await theirs.getByRole('button', { name: 'menu.md' }).click()
  await expect.poll(() => existsSync(join(workspace, 'menu.md.opened'))).toBe(true)
  await answer(waiting, /^Deny(?! with)/)
  await expect(window.getByText('Left as it is.')).toBeVisible()
  expect(readFileSync(file, 'utf8')).toContain('Fish')

  // The same beside the command line: another process, on the same data or on its own.
  model.push(calls('Read', { path: 'menu.md' }), says('Read it again.'))
  await say(window, 'Look once more')
  await expect(window.getByText('Read it again.')).toBeVisible()
  model.push(calls('Write', { path: 'menu.md', content: '# Menu\n\nStew\nBread\n' }), says('Stew it is.'))
  expect(await commandLine(deckhand, '--data', deckhand.dataDir, 'Make it stew')).toContain('Stew it is.')
  model.push(
    calls('Edit', { path: 'menu.md', oldString: 'Bread', newString: 'Cake' }),
    calls('Read', { path: 'menu.md' }),
    calls('Edit', { path: 'menu.md', oldString: 'Bread', newString: 'Cake' }),
    says('Stew and cake.'),
  )
  await say(window, 'Add cake to what there is')
  const beside = card(window, 'The session “Make it stew” changed menu.md after this session last read it')
  await expect(beside.getByRole('region', { name: 'Changes in menu.md by the session “Make it stew”' })).toContainText(
    'Stew',
  )
  await answer(beside, /^Deny(?! with)/)
  await expect(window.getByText('Stew and cake.')).toBeVisible()
  expect(readFileSync(file, 'utf8')).toBe('# Menu\n\nStew\nCake\n')

  const elsewhere = join(workspace, '../other-data')
  cpSync(join(deckhand.dataDir, 'settings.json'), join(elsewhere, 'settings.json'))
  model.push(calls('Write', { path: 'menu.md', content: '# Menu\n\nPie\n' }), says('Pie it is.'))
  expect(await commandLine(deckhand, '--data', elsewhere, 'Make it pie')).toContain('Pie it is.')
  model.push(calls('Write', { path: 'menu.md', content: '# Menu\n\nSoup\n' }), says('Pie is kept.'))
  await say(window, 'Back to soup')
  await answer(card(window, 'Another program changed menu.md after this session last read it'), /^Deny(?! with)/)
  await expect(window.getByText('Pie is kept.')).toBeVisible()
  expect(readFileSync(file, 'utf8')).toBe('# Menu\n\nPie\n')
})
