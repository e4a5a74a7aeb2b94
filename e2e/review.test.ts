import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Locator, Page } from 'playwright'
import { expect, test } from './app'
import { bringAxe, expectNoBarriers } from './barriers'
import { calls, says } from './scripted-model'
import { chooseMode, lastRequest, picture, say } from './steps'

const review = (window: Page): Locator => window.getByRole('region', { name: 'Review', exact: true })
const file = (window: Page, path: string): Locator => review(window).getByRole('listitem').filter({ hasText: path })

const before = Array.from({ length: 40 }, (_, at) => `export const value${at + 1} = ${at + 1}`).join('\n')

/** The names of those that something lies over, at least in part. */
const coveredBy = (controls: Element[], floating: string): string[] => {
  const over = document.querySelector(floating)?.getBoundingClientRect()
  if (!over?.height) return ['nothing floats']
  return controls.flatMap((control) => {
    const box = control.getBoundingClientRect()
    const apart = box.right <= over.left || box.left >= over.right || box.bottom <= over.top || box.top >= over.bottom
    return apart ? [] : [control.textContent ?? '']
  })
}

test('what a session changed is looked through beside the chat: by file, hunk and line', async ({
  deckhand,
  model,
}) => {
  test.slow()
  const { window, workspace, app } = deckhand
  const at = (name: string): string => join(workspace, name)
  const text = (name: string): string => readFileSync(at(name), 'utf8')
  writeFileSync(at('values.ts'), `${before}\n`)
  writeFileSync(at('old.md'), '# Old\n')
  writeFileSync(
    at('change.sh'),
    "sed -i 's/value3 = 3/value3 = 33/; s/value30 = 30/value30 = 303/; s/value31 = 31/value31 = 313/' values.ts\nrm old.md\nprintf '\\0\\1' > data.bin\nprintf 'fresh\\n' > fresh.txt\n",
  )
  await chooseMode(window, 'Allow everything')
  model.push(calls('Bash', { command: 'sh change.sh' }), says('Changed.'))
  await say(window, 'Change them')
  await expect(window.getByText('Changed.')).toBeVisible({ timeout: 60_000 })

  await window.keyboard.press('Control+Shift+D')
  await expect(review(window)).toBeVisible()
  await expect(window.getByRole('main').getByText('Changed.')).toBeVisible()
  await expect(review(window).getByRole('tab', { name: /Session/ })).toContainText('4')
  await expect(file(window, 'old.md')).toContainText('deleted')

  // By the keyboard alone: one file is opened, and a hunk of it reverted.
  await file(window, 'values.ts')
    .getByRole('button', { name: /values\.ts/ })
    .first()
    .focus()
  await window.keyboard.press('Enter')
  const values = file(window, 'values.ts')
  await expect(values.getByRole('listbox')).toHaveCount(2)
  await expect(values.getByRole('option', { name: /Added 3 .*value3 = 33/ })).toBeVisible()
  // Colours come from the grammar of the language.
  await expect(values.locator('.review-text span[style*="--code-"]').first()).toBeVisible()
  await picture(deckhand, 'review-session')
  await bringAxe(window)
  await expectNoBarriers(deckhand, 'review of a session')
  await review(window).getByRole('button', { name: 'Split view' }).click()
  await picture(deckhand, 'review-split')
  await expectNoBarriers(deckhand, 'review, split')
  await review(window).getByRole('button', { name: 'Unified view' }).click()

  const second = values.getByRole('region', { name: /Change at line 27/ })
  await second.getByRole('listbox').focus()
  for (let line = 0; line < 4; line++) await window.keyboard.press('ArrowDown')
  await window.keyboard.press('Space')
  await window.keyboard.press('Shift+ArrowDown')
  await window.keyboard.press('Shift+ArrowDown')
  await expect(second.getByText('3 lines selected')).toBeVisible()
  await window.keyboard.press('Escape')
  const picked = second.getByRole('option', { name: /value31 = 31/ })
  await picked.first().click()
  await picked.last().click()
  await second.getByRole('button', { name: 'Revert 2 lines' }).click()
  await expect.poll(() => text('values.ts')).toContain('value31 = 31\n')
  expect(text('values.ts')).toContain('value30 = 303\n')
  await window.getByRole('button', { name: 'Undo', exact: true }).click()
  await expect.poll(() => text('values.ts')).toContain('value31 = 313\n')

  // Accepting takes it out of the list; it can be brought back.
  await values
    .getByRole('region', { name: /Change at line 1/ })
    .getByRole('button', { name: 'Accept hunk' })
    .click()
  await expect(values.getByRole('listbox')).toHaveCount(1)
  await file(window, 'fresh.txt').getByRole('button', { name: 'Accept: fresh.txt' }).click()
  await expect(review(window).getByText('2 files accepted')).toBeVisible()

  // A file that changes while it is looked at says so, and what was seen before is not acted on.
  writeFileSync(at('values.ts'), `// by hand\n${text('values.ts')}`)
  await expect(values.getByText('This file changed while you were looking.')).toBeVisible({ timeout: 20_000 })

  await file(window, 'old.md').getByRole('button', { name: 'Revert: old.md' }).click()
  await expect.poll(() => existsSync(at('old.md'))).toBe(true)
  await file(window, 'data.bin')
    .getByRole('button', { name: /data\.bin/ })
    .first()
    .click()
  await expect(file(window, 'data.bin')).toContainText('Binary file, 2 bytes.')
  await file(window, 'data.bin').getByLabel('Viewed: data.bin').click()
  await expect(review(window).getByText(/1 viewed/)).toBeVisible()

  // Comments wait, and go to the agent as one message.
  await values.getByRole('option', { name: /Added .*303/ }).click()
  await window.keyboard.press('c')
  await values.getByRole('textbox', { name: /Comment on line/ }).fill('Why 303?')
  await window.keyboard.press('Control+Enter')
  await values
    .getByRole('region', { name: /Change at/ })
    .last()
    .getByRole('button', { name: 'Comment', exact: true })
    .click()
  await values.getByRole('textbox', { name: /Comment on/ }).fill('Add a test for these.')
  await values.getByRole('button', { name: 'Add comment' }).click()
  await expect(review(window).getByRole('button', { name: 'Send 2 comments' })).toBeVisible()
  await picture(deckhand, 'review-comments')
  await expectNoBarriers(deckhand, 'review with comments')
  model.push(says('I will answer both.'))
  await review(window).getByRole('button', { name: 'Send 2 comments' }).press('Enter')
  await expect(window.getByText('I will answer both.')).toBeVisible()
  expect(lastRequest(deckhand)).toContain('values.ts:31')
  expect(lastRequest(deckhand)).toContain('Why 303?')
  expect(lastRequest(deckhand)).toContain('Add a test for these.')

  const resize = (width: number, height: number, zoom: number) =>
    app.evaluate(
      ({ BrowserWindow }, [w, h, z]) => {
        const [shown] = BrowserWindow.getAllWindows()
        shown?.setContentSize(w, h)
        shown?.webContents.setZoomFactor(z)
      },
      [width, height, zoom] as const,
    )
  /** In a narrow window it is a drawer, which closes when the window has become narrow: that may take a moment. */
  const openReview = () =>
    expect(async () => {
      if (!(await review(window).isVisible())) await window.keyboard.press('Control+Shift+D')
      await window.waitForTimeout(500)
      await expect(review(window)).toBeVisible({ timeout: 2000 })
    }).toPass()
  await resize(900, 650, 1)
  await openReview()
  await picture(deckhand, 'review-900')
  await resize(1280, 800, 2)
  await openReview()
  await picture(deckhand, 'review-zoom')
  await resize(1280, 800, 1)
})

test.describe('the work tree', () => {
  const tools = join(tmpdir(), `deckhand-review-tools-${process.pid}`)
  test.use({ launch: { env: { PATH: `${tools}:${process.env.PATH}` } } })
  test.beforeAll(() => {
    mkdirSync(tools, { mode: 0o700 })
    writeFileSync(join(tools, 'gh'), `#!/bin/sh\nprintf '%s\\n' "$@" > "${tools}/gh-was-called"\n`)
    chmodSync(join(tools, 'gh'), 0o755)
  })
  test.afterAll(() => rmSync(tools, { recursive: true, force: true }))

  test('parts are staged, committed, pushed and opened as a pull request, each shown first', async ({
    deckhand,
    model,
  }) => {
    const { window, workspace } = deckhand
    const git = (...args: string[]): string => execFileSync('git', args, { cwd: workspace, encoding: 'utf8' })
    const remote = join(workspace, '..', 'github-remote.git')
    // A login shell sets PATH anew.
    writeFileSync(join(workspace, '../home/.profile'), `PATH=${tools}:$PATH\n`)
    mkdirSync(remote)
    execFileSync('git', ['init', '-q', '--bare', remote])
    git('init', '-q', '-b', 'main')
    git('config', 'user.name', 'Test')
    git('config', 'user.email', 'test@example.org')
    git('remote', 'add', 'origin', remote)
    writeFileSync(join(workspace, 'values.ts'), `${before}\n`)
    git('add', '.')
    git('commit', '-qm', 'first')
    writeFileSync(join(workspace, 'values.ts'), `${before.replace('= 3\n', '= 33\n').replace('= 30\n', '= 303\n')}\n`)
    writeFileSync(join(workspace, 'new.txt'), 'new\n')

    await window.getByRole('button', { name: 'Review changes' }).click()
    await expect(review(window).getByText('Nothing to review')).toBeVisible()
    await review(window)
      .getByRole('tab', { name: /Session/ })
      .press('ArrowRight')
    const unstaged = review(window).getByRole('region', { name: 'Not staged' })
    const staged = review(window).getByRole('region', { name: 'Staged', exact: true })
    await expect(unstaged.getByRole('listitem')).toHaveCount(2)
    await unstaged
      .getByRole('listitem')
      .filter({ hasText: 'values.ts' })
      .getByRole('region', { name: 'Change at line 1', exact: true })
      .getByRole('button', { name: 'Stage hunk' })
      .click()
    await expect(staged.getByRole('listitem')).toHaveCount(1)
    expect(git('show', ':values.ts')).toContain('value3 = 33\n')
    expect(git('show', ':values.ts')).toContain('value30 = 30\n')
    await picture(deckhand, 'review-working-tree')
    await bringAxe(window)
    await expectNoBarriers(deckhand, 'review of a work tree')

    model.push(says('Raise the third value'))
    await review(window).getByRole('button', { name: 'Suggest a message' }).click()
    await expect(review(window).getByLabel('Commit message')).toHaveValue('Raise the third value')
    // A message that comes up covers none of the buttons below, and what it offers can be pressed.
    await unstaged
      .getByRole('listitem')
      .filter({ hasText: 'values.ts' })
      .getByRole('region', { name: /Change at line 27/ })
      .getByRole('button', { name: 'Revert hunk' })
      .click()
    const messages = window.locator('.ui-toasts')
    await expect(messages).toContainText('Reverted part of values.ts')
    const ship = review(window).getByRole('button', { name: /^(Suggest|Commit…|Push…|Pull request…)/ })
    await expect(ship).toHaveCount(4)
    await expect.poll(() => ship.evaluateAll(coveredBy, '.ui-toasts')).toEqual([])
    // Under the pointer it stays.
    await messages.getByText('Reverted part of values.ts').hover()
    await picture(deckhand, 'review-message')
    await messages.getByRole('button', { name: 'Undo' }).click()
    await expect.poll(() => readFileSync(join(workspace, 'values.ts'), 'utf8')).toContain('value30 = 303\n')

    await review(window).getByRole('button', { name: 'Commit…' }).click()
    const commit = window.getByRole('dialog', { name: 'Commit' })
    await expect(commit).toContainText('Commits values.ts to main.')
    await expect(commit).toContainText("git commit -m 'Raise the third value'")
    await picture(deckhand, 'review-commit')
    await expectNoBarriers(deckhand, 'commit')
    await commit.getByRole('button', { name: 'Commit', exact: true }).click()
    await expect(review(window).getByRole('status')).toContainText('Commit done')
    expect(git('log', '-1', '--format=%s')).toBe('Raise the third value\n')
    expect(git('status', '--porcelain')).toBe(' M values.ts\n?? new.txt\n')
    await expect(staged).toBeHidden()

    await review(window).getByRole('button', { name: 'Push…' }).click()
    const push = window.getByRole('dialog', { name: 'Push' })
    await expect(push).toContainText('git push -u origin main')
    await push.getByRole('button', { name: 'Push', exact: true }).click()
    await expect(review(window).getByRole('status')).toContainText('Push done')
    expect(execFileSync('git', ['-C', remote, 'log', '-1', '--format=%s', 'main'], { encoding: 'utf8' })).toBe(
      'Raise the third value\n',
    )

    await review(window).getByRole('button', { name: 'Pull request…' }).click()
    await window.getByRole('dialog', { name: 'New pull request' }).getByLabel('Title').fill('Raise a value')
    await window.getByRole('button', { name: 'Next' }).click()
    const request = window.getByRole('dialog', { name: 'Open a pull request' })
    await expect(request).toContainText("gh pr create --title 'Raise a value'")
    await picture(deckhand, 'review-pull-request')
    await request.getByRole('button', { name: 'Open pull request' }).click()
    await expect(review(window).getByRole('status')).toContainText('Pull request done')
    expect(readFileSync(join(tools, 'gh-was-called'), 'utf8')).toBe('pr\ncreate\n--title\nRaise a value\n--body\n\n')

    await review(window).getByRole('button', { name: 'Stage all' }).click()
    await expect(staged.getByRole('listitem')).toHaveCount(2)
    await review(window).getByRole('button', { name: 'Unstage all' }).click()
    await expect(unstaged.getByRole('listitem')).toHaveCount(2)
  })
})
