import { expect, test } from './app'
import { bringAxe, expectNoBarriers } from './barriers'
import { calls, says } from './scripted-model'
import { answer, card, openPage, pane, say, screenOf, toolLine } from './steps'

test('no page and no state bars anybody: axe finds nothing serious in either theme', async ({ deckhand, model }) => {
  test.slow()
  const { window } = deckhand
  await expect(window.getByRole('heading', { name: 'What would you like to do?' })).toBeVisible()
  await bringAxe(window)
  await expectNoBarriers(deckhand, 'first view')

  model.push(
    [
      { reasoning: 'Let me look.' },
      {
        text: '## Files\n\nSome `code`, a [link](https://example.org) and\n\n```sh\nls -la\n```\n\n| a |\n|---|\n| 1 |\n',
      },
      { call: 'Bash', args: { command: 'printf "\\033[31mred\\033[0m\\n"; sleep 305', background: true } },
    ],
    calls('Todo', { items: [{ text: 'Look', status: 'done' }] }),
    calls('Write', { path: 'a.txt', content: 'one\n' }),
    calls('Bash', { command: 'git push --force' }),
    says('Done with it.'),
  )
  await say(window, 'Show everything')
  await answer(card(window, 'sleep 305'), 'Allow once')
  await expect(screenOf(pane(window, /sleep 305/))).toContainText('red')
  await expect(card(window, 'a.txt')).toBeVisible()
  await window.getByRole('button', { name: /^Thought/ }).click()
  await card(window).getByRole('button', { name: 'Always' }).click()
  await expectNoBarriers(deckhand, 'chat with a question about a file')
  await openPage(window, 'Inbox')
  await expect(card(window)).toBeVisible()
  await expectNoBarriers(deckhand, 'inbox')
  await answer(card(window, 'a.txt'), 'Allow for this session')
  await expect(card(window, 'git push')).toBeVisible()
  await expectNoBarriers(deckhand, 'inbox with danger')
  await answer(card(window, 'git push'), /^Deny(?! with)/)
  await openPage(window, 'Rules')
  await expect(window.getByRole('table')).toBeVisible()
  await expectNoBarriers(deckhand, 'rules')
  await openPage(window, 'Settings')
  await window.getByRole('button', { name: 'OpenAI', exact: true }).click()
  await expectNoBarriers(deckhand, 'settings')
  await openPage(window, 'MCP servers')
  await window.getByRole('button', { name: 'Add server' }).click()
  await window.getByRole('button', { name: 'Variables and folder' }).click()
  await expectNoBarriers(deckhand, 'MCP servers')
  await window.keyboard.press('Control+L')
  await expect(window.getByText('Done with it.')).toBeVisible()
  await toolLine(window, 'a.txt').click()
  await toolLine(window, 'sleep 305').click()
  await window.getByRole('button', { name: '1 process left running' }).click()
  await window.getByRole('button', { name: '1 file created' }).click()
  await window.getByRole('button', { name: 'created a.txt' }).click()
  await expect(window.getByRole('region', { name: 'Changes in a.txt' }).last()).toContainText('one')
  await expectNoBarriers(deckhand, 'chat with results')
  await window.getByRole('button', { name: 'Undo: a.txt' }).click()
  await expect(window.getByRole('button', { name: 'Undo 1 file' })).toBeEnabled()
  await expectNoBarriers(deckhand, 'what undo would do')
  await window.keyboard.press('Escape')
  await window.getByRole('button', { name: 'Changes in this session' }).click()
  await window.getByRole('button', { name: /^1 file created/ }).click()
  await expectNoBarriers(deckhand, 'changes')
  await window.getByRole('button', { name: 'Back to chat' }).click()
  await window.keyboard.press('Control+K')
  await expect(window.getByRole('dialog', { name: 'Command palette' })).toBeVisible()
  await expectNoBarriers(deckhand, 'palette')
  await window.keyboard.press('Escape')
  await window.getByRole('button', { name: /^Approval: / }).click()
  await expectNoBarriers(deckhand, 'menu of modes')
  await window.keyboard.press('Escape')
})

test('nor do the pages for nodes, jobs, agents, skills and channels, with their forms open', async ({
  deckhand,
  model,
}) => {
  test.slow()
  const { window } = deckhand
  await expect(window.getByRole('heading', { name: 'What would you like to do?' })).toBeVisible()
  // The dot of what is waited for breathes without end.
  await window.emulateMedia({ reducedMotion: 'reduce' })
  await bringAxe(window)
  const press = (name: string | RegExp) => window.getByRole('button', { name }).first().click()

  await openPage(window, 'Nodes')
  await press(/^Tools, programs and environment/)
  await press('Add node')
  await press('Change where it listens')
  await press('Show command')
  await expectNoBarriers(deckhand, 'nodes with a form that was refused')
  await window.getByLabel('Name').fill('far')
  await press('Show command')
  await expect(window.getByText('Waiting for it to connect…')).toBeVisible()
  await expectNoBarriers(deckhand, 'nodes with an invitation')

  await openPage(window, 'Schedule')
  await expectNoBarriers(deckhand, 'no jobs')
  await press(/^Every weekday/)
  await press(/^Limits/)
  await expect(window.locator('.schedule-preview')).toContainText('Next: ')
  await expectNoBarriers(deckhand, 'a new job')
  await press('Save')
  model.push(says('Nothing to tell.'))
  await press('Run Morning summary now')
  await expect(window.getByRole('article', { name: 'Morning summary' })).toContainText(/Last\s*done/)
  await press(/^History/)
  await expectNoBarriers(deckhand, 'a job with its history')

  await openPage(window, 'Agents')
  await window.getByRole('textbox', { name: 'Text of SOUL.md' }).fill('Salty.')
  await expectNoBarriers(deckhand, 'agents')
  await openPage(window, 'Memory')
  await window.getByRole('textbox', { name: 'Text of MEMORY.md' }).fill('- The cat is called Biscuit.')
  await press('Save')
  await expect(window.getByText('1 passage in 1 note')).toBeVisible()
  await expectNoBarriers(deckhand, 'memory')
  await window.getByRole('searchbox', { name: 'Search memory' }).fill('What is the name of my pet?')
  await expect(window.getByRole('article', { name: 'MEMORY.md, line 1' })).toBeVisible({ timeout: 60_000 })
  await expectNoBarriers(deckhand, 'a passage of the memory')
  await openPage(window, 'Skills')
  await expect(window.getByRole('heading', { name: 'No skills yet' })).toBeVisible()
  await expectNoBarriers(deckhand, 'no skills')

  await openPage(window, 'Channels')
  await press('Incoming messages')
  await press('Add channel')
  await window.getByRole('menuitem', { name: /^Telegram/ }).click()
  await window.getByLabel('Receive').click()
  await press('Save')
  await expectNoBarriers(deckhand, 'a channel that was refused')
})
