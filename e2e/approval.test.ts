import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright'
import { expect, test } from './app'
import { calls, says } from './scripted-model'
import { answer, answerBy, card, chooseMode, lastRequest, openPage, picture, say, toolLine } from './steps'

const deny = /^Deny(?! with)/

/** Asks main by the bridge, as the page itself does. */
const ask = (window: Page, name: string, input: unknown) =>
  window.evaluate(
    // biome-ignore lint/suspicious/noExplicitAny: a test may say what the contract does not know
    ([what, given]) => (globalThis as any).deckhand.call(what, given),
    [name, input] as const,
  )

test('a command waits for its answer: once, for the session, or by a rule that can be revoked', async ({
  deckhand,
  model,
}) => {
  const { window, workspace } = deckhand
  const command = 'touch made.txt && ls'
  model.push(calls('Bash', { command }), says('Made it.'))
  await say(window, 'Make the file')
  const waiting = card(window)
  await expect(waiting.locator('.approval-command')).toHaveText(command)
  const parts = waiting.getByRole('list', { name: 'Parts of the command' }).getByRole('listitem')
  await expect(parts.filter({ hasText: 'touch made.txt' })).toContainText('asks:')
  await expect(parts.filter({ hasText: 'ls' })).toContainText('would be allowed:')
  await expect(waiting).toContainText(workspace.split('/').at(-1) ?? '')
  expect(existsSync(join(workspace, 'made.txt'))).toBe(false)
  await picture(deckhand, 'approval-command')
  await answer(waiting, 'Allow once')
  await expect(window.getByText('Made it.')).toBeVisible()
  expect(existsSync(join(workspace, 'made.txt'))).toBe(true)
  await toolLine(window, 'touch made.txt').click()
  await expect(window.getByText('You allowed it once.')).toBeVisible()

  // Once is once: the same command asks again, and then not any more in this session.
  model.push(calls('Bash', { command }), calls('Bash', { command }), says('Made it twice.'))
  await say(window, 'Again')
  await answer(waiting, 'Allow for this session')
  await expect(window.getByText('Made it twice.')).toBeVisible()

  // Another session asks; there it becomes a rule. It has read the file that the first one made.
  await window.getByRole('button', { name: 'New session', exact: true }).click()
  await expect(window.getByRole('heading', { name: 'What would you like to do?' })).toBeVisible()
  model.push(calls('Read', { path: 'made.txt' }))
  model.push(calls('Bash', { command }), calls('Bash', { command }), says('Made it by rule.'))
  await say(window, 'And here')
  await waiting.getByRole('button', { name: 'Always' }).click()
  const offers = waiting.getByRole('list', { name: 'Rules to save' }).getByRole('button')
  const sentence = 'Always allow touch made.txt everywhere'
  await expect(offers.last()).toContainText(sentence)
  await picture(deckhand, 'approval-rules-offered')
  await answer(waiting, new RegExp(`^${sentence}`))
  await expect(window.getByText('Made it by rule.')).toBeVisible()
  await toolLine(window, 'touch made.txt').last().click()
  await expect(window.getByText(/^Ran because of a rule/)).toBeVisible()

  await openPage(window, 'Rules')
  const rows = window.getByRole('table').getByRole('row')
  const rule = rows.filter({ hasText: sentence }).last()
  await expect(rule).toBeVisible()
  await expect(rule.getByRole('cell').nth(2)).toHaveText('1')
  await picture(deckhand, 'rules')
  for (let left = await rows.count(); left > 1; left--) {
    await rows
      .last()
      .getByRole('button', { name: /^Revoke/ })
      .click()
    if (left > 2) await expect(rows).toHaveCount(left - 1)
  }
  await expect(window.getByText('No rules yet')).toBeVisible()
  await picture(deckhand, 'rules-none')

  model.push(calls('Bash', { command }), says('Asked again.'))
  await window.keyboard.press('Control+L')
  await say(window, 'Once more')
  await answer(waiting, deny)
  await expect(window.getByText('Asked again.')).toBeVisible()
})

test('a command is edited and allowed, and the model is told', async ({ deckhand, model }) => {
  const { window, workspace } = deckhand
  model.push(calls('Bash', { command: 'touch theirs.txt' }), says('Noted.'))
  await say(window, 'Make a file')
  await card(window).getByRole('button', { name: 'Edit' }).click()
  await card(window).getByLabel('The command to run instead').fill('touch mine.txt')
  await deckhand.screenshot('approval-edit')
  await answer(card(window), 'Run this instead')
  await expect(window.getByText('Noted.')).toBeVisible()
  expect(existsSync(join(workspace, 'mine.txt'))).toBe(true)
  expect(existsSync(join(workspace, 'theirs.txt'))).toBe(false)
  expect(lastRequest(deckhand)).toMatch(/edited|changed/i)
  expect(lastRequest(deckhand)).toContain('touch mine.txt')
})

test('a call is denied, with a note for the model or without', async ({ deckhand, model }) => {
  const { window, workspace } = deckhand
  model.push(calls('Bash', { command: 'touch no.txt' }), calls('Bash', { command: 'touch nor.txt' }), says('I see.'))
  await say(window, 'Try it')
  await answer(card(window, 'touch no.txt'), deny)
  await card(window, 'touch nor.txt').getByRole('button', { name: 'Deny with a note' }).click()
  const note = card(window).getByLabel('Why not, or what to do instead')
  await note.fill('Put it into the notes folder')
  await deckhand.screenshot('approval-note')
  await answer(card(window), 'Deny')
  await expect(window.getByText('I see.')).toBeVisible()
  for (const name of ['no.txt', 'nor.txt']) await expect(toolLine(window, `touch ${name}`)).toContainText('denied')
  expect(JSON.stringify(model.requests[1]?.body.messages)).toMatch(/denied|declined|does not want/i)
  expect(lastRequest(deckhand)).toContain('Put it into the notes folder')
  expect(existsSync(join(workspace, 'no.txt'))).toBe(false)
})

test('the key that allows works from an empty message box, and with a note it denies', async ({ deckhand, model }) => {
  const { window, workspace } = deckhand
  model.push(
    calls('Bash', { command: 'touch first.txt' }),
    calls('Bash', { command: 'touch second.txt' }),
    says('Done.'),
  )
  await say(window, 'Make them')
  await expect(card(window, 'touch first.txt')).toBeVisible()
  const composer = window.getByLabel('Message to Deckhand')
  // Words in the box are a message, not an answer.
  await composer.fill('wait')
  await window.waitForTimeout(500)
  await composer.press('Control+Enter')
  await expect(card(window, 'touch first.txt')).toBeVisible()
  await composer.fill('')
  await composer.press('Control+Enter')
  await expect(card(window, 'touch second.txt')).toBeVisible()
  expect(existsSync(join(workspace, 'first.txt'))).toBe(true)
  await card(window).getByRole('button', { name: 'Deny with a note' }).click()
  const note = window.getByLabel('Why not, or what to do instead')
  await note.fill('One is enough')
  await answerBy(card(window, 'touch second.txt'), 'Control+Enter')
  await expect(window.getByText('Done.')).toBeVisible()
  expect(existsSync(join(workspace, 'second.txt'))).toBe(false)
  expect(lastRequest(deckhand)).toContain('One is enough')
})

test('an edited command is judged afresh: the danger and the word of the old one go', async ({ deckhand, model }) => {
  const { window, workspace } = deckhand
  model.push(calls('Bash', { command: 'git push --force' }), says('Instead.'))
  await say(window, 'Push it')
  await card(window).getByRole('button', { name: 'Edit' }).click()
  await expect(card(window).getByRole('textbox', { name: /^Type / })).toHaveCount(0)
  await card(window).getByLabel('The command to run instead').fill('touch harmless.txt')
  await answer(card(window), 'Run this instead')
  await expect(window.getByText('Instead.')).toBeVisible()
  expect(existsSync(join(workspace, 'harmless.txt'))).toBe(true)
})

test('danger wants a typed word, and hidden characters are shown', async ({ deckhand, model }) => {
  const { window } = deckhand
  model.push(calls('Bash', { command: 'git push --force' }), says('Pushed, or not.'))
  await say(window, 'Push it')
  const waiting = card(window)
  await expect(waiting).toHaveAttribute('data-danger', 'true')
  const allow = waiting.getByRole('button', { name: 'Allow once' })
  await expect(allow).toBeDisabled()
  await expect(waiting.getByRole('button', { name: /session|Always/ })).toHaveCount(0)
  const word = waiting.getByRole('textbox', { name: /^Type .* to enable Allow$/ })
  await word.fill('yes')
  await expect(allow).toBeDisabled()
  await waiting.focus()
  await window.keyboard.press('Control+Enter')
  await expect(waiting).toBeVisible()
  await picture(deckhand, 'approval-danger')
  await word.fill((await waiting.locator('label strong').textContent()) ?? '')
  await answer(waiting, 'Allow once')
  await expect(window.getByText('Pushed, or not.')).toBeVisible()

  model.push(calls('Bash', { command: 'touch a\u202Etxt.b\u200B' }), says('Fine.'))
  await say(window, 'And a strange one')
  await expect(waiting.locator('.approval-command')).toContainText('U+202E')
  await expect(waiting.locator('.approval-command')).toContainText('U+200B')
  await expect(waiting).toContainText('2 characters that are invisible')
  await expect(waiting.getByRole('button', { name: /session|Always/ })).toHaveCount(0)
  await picture(deckhand, 'approval-hidden-characters')
  await answer(waiting, deny)
})

test('a card takes no answer that is too quick, made by a script, or a second one', async ({ deckhand, model }) => {
  const { window, workspace } = deckhand
  await window.evaluate(() => {
    // biome-ignore lint/suspicious/noExplicitAny: the page has no types here
    const page = globalThis as any
    page.deckhand.onEvent(
      (events: { type: string; call?: { state: { status: string; question: { id: string } } } }[]) => {
        for (const { call } of events) {
          if (call?.state.status !== 'awaiting') continue
          const allowed = { decision: 'allow', scope: 'once' }
          page.quick ??= page.deckhand.call('question.answer', { questionId: call.state.question.id, answer: allowed })
        }
      },
    )
  })
  model.push(calls('Bash', { command: 'echo ran >> log.txt' }), says('It ran.'))
  await say(window, 'Log it')
  const waiting = card(window)
  await expect(waiting).toBeVisible()
  // biome-ignore lint/suspicious/noExplicitAny: as above
  expect(await window.evaluate(() => (globalThis as any).quick)).toMatchObject({ ok: false, error: /very quick/ })

  // The guard lets the first moments pass; afterwards only a person's own events count.
  await expect(async () => {
    const [first] = (await ask(window, 'question.list', {})).value
    expect(Date.now() - first.question.createdAt).toBeGreaterThan(1000)
  }).toPass()
  await waiting.getByRole('button', { name: 'Allow once' }).evaluate((button) => (button as HTMLElement).click())
  await waiting.evaluate((article) =>
    article.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', ctrlKey: true, bubbles: true })),
  )
  expect((await ask(window, 'question.list', {})).value).toHaveLength(1)
  expect(existsSync(join(workspace, 'log.txt'))).toBe(false)

  const [{ question }] = (await ask(window, 'question.list', {})).value
  await waiting.getByRole('button', { name: 'Allow once' }).dblclick()
  await expect(window.getByText('It ran.')).toBeVisible()
  const again = await ask(window, 'question.answer', {
    questionId: question.id,
    answer: { decision: 'allow', scope: 'once' },
  })
  expect(again).toMatchObject({ ok: false, error: /answered already/ })
  expect(readFileSync(join(workspace, 'log.txt'), 'utf8')).toBe('ran\n')
})

test('what waits in any session is in the inbox, on the badge and in a notification that leads there', async ({
  deckhand,
  model,
}) => {
  const { app, window } = deckhand
  await app.evaluate(({ BrowserWindow, Notification }) => {
    // biome-ignore lint/suspicious/noExplicitAny: somewhere to keep it
    const main = globalThis as any
    Notification.isSupported = () => true
    Notification.prototype.show = function () {
      main.notified = [...(main.notified ?? []), this]
    }
    for (const each of BrowserWindow.getAllWindows()) each.isFocused = () => false
  })
  const title = () => app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.getTitle())

  model.push(calls('Bash', { command: 'touch first.txt' }))
  await say(window, 'The first task')
  await expect(card(window)).toBeVisible()
  await window.getByRole('button', { name: 'New session', exact: true }).click()
  await expect(window.getByRole('heading', { name: 'What would you like to do?' })).toBeVisible()
  model.push(calls('Write', { path: 'second.txt', content: 'two\n' }))
  await say(window, 'The second task')
  await expect(card(window)).toBeVisible()
  await expect(window.getByRole('button', { name: /^Inbox , 2 waiting/ })).toBeVisible()
  await expect(window.getByRole('button', { name: /^The first task , 1 question waiting/ })).toBeVisible()
  await expect(async () => expect(await title()).toBe('(2) Deckhand')).toPass()

  // biome-ignore lint/suspicious/noExplicitAny: as above
  await app.evaluate(() => (globalThis as any).notified[0].emit('click'))
  await expect(card(window, 'touch first.txt')).toBeVisible()
  await expect(window.getByRole('heading', { name: 'The first task', level: 1 })).toBeVisible()

  await openPage(window, 'Inbox')
  await expect(card(window)).toHaveCount(2)
  await picture(deckhand, 'inbox')
  model.push(says('First done.'))
  await answer(card(window, 'touch first.txt'), 'Allow once')
  model.push(says('Second done.'))
  await answer(card(window, 'second.txt'), 'Allow once')
  await expect(window.getByText('Nothing is waiting for you')).toBeVisible()
  await expect(async () => expect(await title()).toBe('Deckhand')).toPass()
  await picture(deckhand, 'inbox-empty')
  // biome-ignore lint/suspicious/noExplicitAny: as above
  const told = () => app.evaluate(() => (globalThis as any).notified.map(({ title, body }: any) => `${title}: ${body}`))
  await expect(async () =>
    expect(await told()).toEqual(expect.arrayContaining([expect.stringMatching(/^The second task: \w+ done\.$/)])),
  ).toPass()
  expect(existsSync(join(deckhand.workspace, 'second.txt'))).toBe(true)
})

test('writes and edits show the difference before they happen', async ({ deckhand, model }) => {
  const { window, workspace } = deckhand
  const file = join(workspace, 'poem.txt')
  writeFileSync(file, 'The sea is blue\nand very deep\n')
  model.push(
    calls('Read', { path: 'poem.txt' }),
    calls('Edit', { path: 'poem.txt', oldString: 'blue', newString: 'green' }),
    calls('Write', { path: 'new.txt', content: 'a new file\n' }),
    says('Both changed.'),
  )
  await say(window, 'Change the colour')
  await expect(card(window, 'poem.txt')).toContainText('The sea is green')
  await expect(card(window)).toContainText('The sea is blue')
  expect(readFileSync(file, 'utf8')).toContain('blue')
  await picture(deckhand, 'approval-diff')
  await answer(card(window, 'poem.txt'), 'Allow once')
  await expect(card(window, 'new.txt')).toContainText('a new file')
  await answer(card(window, 'new.txt'), 'Allow once')
  await expect(window.getByText('Both changed.')).toBeVisible()
  expect(readFileSync(file, 'utf8')).toBe('The sea is green\nand very deep\n')
  await toolLine(window, 'poem.txt').last().click()
  await expect(window.getByText('The sea is green').last()).toBeVisible()
  await picture(deckhand, 'chat-diff')
})

test('the mode decides what asks: nothing, everything, or nothing changes at all', async ({ deckhand, model }) => {
  const { window, workspace } = deckhand
  await chooseMode(window, 'Allow everything')
  await expect(window.getByText('Approvals are off.')).toBeVisible()
  model.push(calls('Bash', { command: 'touch all.txt' }), says('Ran at once.'))
  await say(window, 'Do it')
  await expect(window.getByText('Ran at once.')).toBeVisible()
  expect(existsSync(join(workspace, 'all.txt'))).toBe(true)
  await picture(deckhand, 'mode-all')

  // Once text from outside has come in, it says so there, and asks about the network instead of refusing it.
  const fetches = (path: string) => calls('Bash', { command: `curl -s http://127.0.0.1:9/${path} || true` })
  model.push(fetches('one'), fetches('two'), says('Fetched twice.'))
  await say(window, 'Fetch two pages')
  await expect(card(window)).toContainText('It uses the network after text from outside entered the session')
  await expect(window.getByText('Text from outside has entered this session.')).toHaveCount(1)
  await picture(deckhand, 'mode-all-asks')
  await answer(card(window), 'Allow once')
  await expect(window.getByText('Fetched twice.')).toBeVisible()

  await chooseMode(window, 'Read only')
  await expect(window.getByText('Approvals are off.')).toBeHidden()
  model.push(calls('Bash', { command: 'touch never.txt' }), says('Not here.'))
  await say(window, 'And now')
  await expect(window.getByText('Not here.')).toBeVisible()
  await expect(card(window)).toHaveCount(0)
  expect(existsSync(join(workspace, 'never.txt'))).toBe(false)

  await chooseMode(window, 'Ask for everything')
  model.push(calls('Bash', { command: 'ls' }), says('Listed.'))
  await say(window, 'List')
  await answer(card(window), 'Allow once')
  await expect(window.getByText('Listed.')).toBeVisible()

  await chooseMode(window, 'Allow in workspace')
  model.push(
    calls('Write', { path: 'inside.txt', content: 'x' }),
    calls('Write', { path: '../outside.txt', content: 'x' }),
    says('One of two.'),
  )
  await say(window, 'Inside and out')
  await expect(card(window)).toContainText('outside.txt')
  expect(existsSync(join(workspace, 'inside.txt'))).toBe(true)
  await answer(card(window), deny)
  await expect(window.getByText('One of two.')).toBeVisible()
})

test('a question of the model is answered by a choice or in words', async ({ deckhand, model }) => {
  const { window } = deckhand
  const choices = ['Red', 'Green']
  model.push(
    calls('AskUser', { question: 'Which colour?', choices }),
    calls('AskUser', { question: 'Why?' }),
    says('Thanks.'),
  )
  await say(window, 'Paint it')
  await expect(card(window)).toContainText('Which colour?')
  await picture(deckhand, 'ask-user')
  await answer(card(window, 'Which colour?'), 'Green')
  await card(window, 'Why?').getByLabel('Your answer').fill('It is calm')
  await answer(card(window, 'Why?'), 'Answer')
  await expect(window.getByText('Thanks.')).toBeVisible()
  expect(JSON.stringify(model.requests[1]?.body.messages)).toContain('Green')
  expect(lastRequest(deckhand)).toContain('It is calm')
})
