import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from './app'
import { calls, says } from './scripted-model'
import { answer, answerBy, card, composer, openPage, picture, say } from './steps'

const bash = (...commands: string[]) => commands.map((command) => ({ call: 'Bash', args: { command } }))

test('several calls of one message are answered together, by keyboard, and the dangerous one alone', async ({
  deckhand,
  model,
}) => {
  const { window, workspace } = deckhand
  const has = (name: string) => existsSync(join(workspace, name))
  model.push(bash('touch one.txt', 'touch two.txt', 'sudo true', 'touch three.txt'), says('All done.'))
  await say(window, 'Make three files')
  await expect(card(window)).toHaveCount(4)
  const bar = window.getByRole('region', { name: 'Calls that wait together' })
  await expect(bar).toContainText('4 calls are waiting')
  await expect(bar.getByRole('listitem')).toHaveText(['touch one.txt', 'touch two.txt', 'touch three.txt'])
  await expect(bar).toContainText('One more needs a typed word. Answer it on its own card.')
  await expect(card(window, 'touch two.txt')).toContainText('For this session, allows touch two.txt, and nothing else.')
  await expect(bar).toBeInViewport()
  await picture(deckhand, 'cards-together')
  await openPage(window, 'Inbox')
  await expect(bar.getByRole('button', { name: 'Allow all 3' })).toBeVisible()
  await picture(deckhand, 'cards-together-inbox')
  await window.keyboard.press('Control+L')
  await expect(composer(window)).toBeFocused()

  // From one of the cards, and not from words in the message box.
  await composer(window).fill('wait')
  await window.waitForTimeout(500)
  await composer(window).press('Control+Alt+Enter')
  await expect(card(window)).toHaveCount(4)
  await composer(window).fill('')

  // After the answer to one card the next has the keyboard.
  await card(window, 'touch one.txt').focus()
  await window.keyboard.press('Control+Enter')
  await expect(card(window, 'touch one.txt')).toBeHidden()
  await expect(card(window, 'touch two.txt')).toBeFocused()
  await window.waitForTimeout(450)
  await window.keyboard.press('Control+Alt+Enter')
  await expect(card(window)).toHaveCount(1)
  await expect(card(window, 'sudo true')).toBeFocused()
  await expect.poll(() => [has('one.txt'), has('two.txt'), has('three.txt')]).toEqual([true, true, false])
  await window.waitForTimeout(450)
  await window.keyboard.press('Control+Backspace')
  await expect(window.getByText('All done.')).toBeVisible()
  expect(has('three.txt')).toBe(true)
})

test('the card names what would be lost, and a copy that is kept first brings it back', async ({ deckhand, model }) => {
  const { window, workspace } = deckhand
  const at = (name: string): string => join(workspace, name)
  const git = (...args: string[]): string =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], { cwd: workspace, encoding: 'utf8' })
  mkdirSync(at('drafts'))
  writeFileSync(at('.gitignore'), '.env\n/drafts/\n')
  writeFileSync(at('main.ts'), 'export const version = 1\n')
  git('init', '-q', '-b', 'main')
  git('add', '-A')
  git('commit', '-qm', 'First')
  writeFileSync(at('main.ts'), 'export const version = 2\n')
  git('stash', 'push', '-qm', 'Try version 2')
  writeFileSync(at('main.ts'), 'export const version = 3\n')
  writeFileSync(at('.env'), 'TOKEN=1\n')
  for (let index = 1; index <= 30; index++)
    writeFileSync(at(`drafts/${String(index).padStart(2, '0')}.md`), `${index}\n`)

  const command = 'git stash clear && git reset --hard && git clean -fdx'
  model.push(calls('Bash', { command }), says('Clean.'))
  await say(window, 'Clean up')
  const losses = card(window).getByRole('region', { name: /^Would be lost/ })
  await expect(losses).toContainText('Uncommitted changes in 1 file')
  await expect(losses).toContainText('main.ts')
  await expect(losses).toContainText('yours, just now')
  await expect(losses).toContainText('31 files that git ignores')
  await expect(losses).toContainText('.env')
  await expect(losses).toContainText('and 23 more')
  await expect(losses).toContainText('stash@{0}')
  await expect(losses).toContainText('Try version 2')

  // One key, and the typed word as always.
  const copy = card(window).getByRole('checkbox', { name: 'Keep a copy first' })
  await card(window).focus()
  await window.keyboard.press('k')
  await expect(copy).toBeChecked()
  await picture(deckhand, 'cards-losses')
  await card(window).getByRole('textbox').fill('delete')
  await answerBy(card(window), 'Control+Enter')
  await expect(window.getByText('Clean.')).toBeVisible()
  expect([
    readFileSync(at('main.ts'), 'utf8'),
    existsSync(at('.env')),
    existsSync(at('drafts')),
    git('stash', 'list'),
  ]).toEqual(['export const version = 1\n', false, false, ''])
  const receipt = window.locator('.chat-tool').filter({ hasText: 'git stash clear' }).locator('.receipt')
  await expect(receipt).toContainText('a copy was kept')
  await receipt.getByRole('button', { name: /a copy was kept/ }).click()
  await receipt.getByRole('button', { name: /^Undo.*…$/ }).click()
  const undo = window.getByRole('dialog', { name: 'Undo these changes?' })
  await undo.getByRole('button', { name: /^Undo \d+ files$/ }).click()
  await expect(undo).toBeHidden()
  expect([
    readFileSync(at('main.ts'), 'utf8'),
    readFileSync(at('.env'), 'utf8'),
    readFileSync(at('drafts/30.md'), 'utf8'),
  ]).toEqual(['export const version = 3\n', 'TOKEN=1\n', '30\n'])
  expect(git('stash', 'list')).toContain('Try version 2')

  // What is committed is not lost.
  git('checkout', '-q', '--', 'main.ts')
  model.push(calls('Bash', { command: 'rm main.ts' }), says('I see.'))
  await say(window, 'Remove it')
  await expect(card(window)).toContainText('Nothing irreplaceable would be lost.')
  await picture(deckhand, 'cards-no-losses')
  await answer(card(window), /^Deny(?! with)/)
  await expect(window.getByText('I see.')).toBeVisible()
})
