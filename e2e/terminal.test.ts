import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from './app'
import { calls, gate, says } from './scripted-model'
import { answer, card, composer, control, lastRequest, openPage, pane, picture, say, screenOf, typeInto } from './steps'

const secret = 'swordfish-7431'

test('a user types into a running program; the agent hears of it, but never of a password', async ({
  deckhand,
  model,
}) => {
  const { window, workspace, dataDir } = deckhand
  writeFileSync(
    join(workspace, 'ask.sh'),
    `read -rp 'Name? ' name; echo "Hello $name"; read -rsp 'Password: ' word; echo; echo "It has \${#word} letters"; read -rp 'Done? ' x`,
  )
  model.push(calls('Bash', { command: 'bash ask.sh', background: true }), says('It wants to know your name.'))
  await say(window, 'Start it')
  await answer(card(window), 'Allow once')
  await expect(window.getByText('It wants to know your name.')).toBeVisible()
  const terminal = pane(window, 'bash ask.sh')
  await expect(screenOf(terminal)).toContainText('Name?')

  // From another session: marked in the sidebar, listed in the inbox, and answered where it asks.
  await expect(terminal.getByText('needs your input').first()).toBeVisible()
  await window.keyboard.press('Control+N')
  await expect(composer(window)).toBeFocused()
  await expect(terminal).toBeHidden()
  const sidebar = window.getByRole('navigation', { name: 'Sessions' })
  await expect(sidebar.getByRole('img', { name: 'needs input in a terminal' })).toBeVisible()
  const inbox = sidebar.getByRole('button', { name: 'Inbox' })
  await expect(inbox).toHaveAccessibleName(/1 waiting/)
  await window.keyboard.press('Control+I')
  const row = window.getByRole('article', { name: 'A program is waiting for an answer: bash ask.sh' })
  await expect(row.getByText('Name?')).toBeVisible()
  await picture(deckhand, 'inbox-program-asks')
  await row.getByRole('button', { name: 'Show terminal' }).click()
  await expect(terminal).toHaveAttribute('data-focused', 'true')
  await window.keyboard.type('Ada\n')
  await expect(screenOf(terminal)).toContainText('Hello Ada')
  await expect(window.getByText('You typed in “bash ask.sh”')).toBeVisible()

  await expect(terminal.getByText('The agent is locked out')).toBeVisible()
  await expect(terminal.getByText('needs your input').first()).toBeVisible()
  await picture(deckhand, 'terminal-secret')
  await openPage(window, 'Inbox')
  const hidden = window.getByRole('article', { name: /^A program needs hidden input.*bash ask\.sh$/ })
  await expect(hidden.getByText('Password:')).toBeVisible()
  await picture(deckhand, 'inbox-program-hidden')
  await hidden.getByRole('button', { name: 'Show terminal' }).click()
  await typeInto(terminal, `${secret}\n`)
  await expect(screenOf(terminal)).toContainText(`It has ${secret.length} letters`)
  await expect(terminal.getByText('The agent is locked out')).toBeHidden()
  // It asks on, and after that nothing is left in the inbox.
  await expect(inbox).toHaveAccessibleName(/1 waiting/)

  model.push(says('So you are Ada.'))
  await say(window, 'What did I type?')
  await expect(window.getByText('So you are Ada.')).toBeVisible()
  expect(lastRequest(deckhand)).toMatch(/The user typed into process .*Ada/)
  expect(lastRequest(deckhand)).toContain('something hidden')

  // The end of the program wakes the agent, once, without being asked.
  const before = model.requests.length
  model.push(says('It has ended by itself.'))
  await typeInto(terminal, 'yes\n')
  await expect(window.getByText('It has ended by itself.')).toBeVisible()
  await expect(terminal.getByText('exit 0').first()).toBeVisible()
  await expect(inbox).not.toHaveAccessibleName(/waiting/)
  expect(lastRequest(deckhand)).toContain('ended with exit code 0')
  await expect(window.getByText(/^“bash ask\.sh” finished/)).toHaveCount(1)
  expect(model.requests).toHaveLength(before + 1)

  expect(JSON.stringify(model.requests.map((request) => request.body))).not.toContain(secret)
  await deckhand.quit()
  const kept = filesIn(dataDir).filter((file) => readFileSync(file).includes(secret))
  expect(kept).toEqual([])
})

test('a process is interrupted and ended by its buttons, found in, copied, shown in tabs and removed', async ({
  deckhand,
  model,
}) => {
  const { app, window, workspace } = deckhand
  writeFileSync(join(workspace, 'talk.sh'), 'for i in 1 2 3; do echo "line $i with a needle"; done; sleep 300\n')
  model.push(
    calls('Bash', { command: 'sh talk.sh', background: true }),
    calls('Bash', { command: 'sleep 301', background: true }),
    says('Both run.'),
  )
  await say(window, 'Start both')
  await answer(card(window, 'talk.sh'), 'Allow once')
  await answer(card(window, 'sleep 301'), 'Allow once')
  await expect(window.getByText('Both run.')).toBeVisible()
  const talk = pane(window, 'sh talk.sh')
  await expect(screenOf(talk)).toContainText('line 3 with a needle')

  await typeInto(talk, '')
  await window.keyboard.press('Control+Shift+G')
  await window.getByLabel('Find in this terminal').fill('needle')
  await expect(talk.locator('output')).toHaveText('3 of 3')
  await window.keyboard.press('Shift+Enter')
  await expect(talk.locator('output')).toHaveText('2 of 3')
  await picture(deckhand, 'terminal-find')
  await window.keyboard.press('Escape')
  await expect(window.getByLabel('Find in this terminal')).toBeHidden()

  const copied = () => app.evaluate(({ clipboard }) => clipboard.readText())
  await talk.locator('.terminal-body').click({ button: 'right' })
  await window.getByRole('menuitem', { name: 'Select all' }).click()
  await talk.locator('.terminal-body').click({ button: 'right' })
  await window.getByRole('menuitem', { name: /^Copy/ }).click()
  await expect(async () => expect(await copied()).toContain('line 2 with a needle')).toPass()
  await app.evaluate(({ clipboard }) => clipboard.clear())
  await control(talk, 'More actions')
  await window.getByRole('menuitem', { name: 'Copy all output' }).click()
  await expect(async () => expect(await copied()).toContain('line 1 with a needle\nline 2')).toPass()

  model.push(says('The first was interrupted.'))
  await control(talk, 'Send Ctrl+C')
  await expect(window.getByText('The first was interrupted.')).toBeVisible()
  await expect(talk).toHaveAttribute('data-live', 'false')

  model.push(says('The second was ended.'))
  const sleeper = pane(window, 'sleep 301')
  await control(sleeper, 'Stop process')
  await expect(window.getByText('The second was ended.')).toBeVisible()
  await expect(sleeper.getByText('SIGTERM').first()).toBeVisible()
  await picture(deckhand, 'terminal-ended')

  await window.getByRole('button', { name: 'Layout' }).click()
  await window.getByRole('menuitemcheckbox', { name: 'Tabs' }).click()
  await expect(window.getByRole('tab')).toHaveCount(2)
  await window.getByRole('tab', { name: /sleep 301/ }).click()
  await picture(deckhand, 'terminal-tabs')
  await window.getByRole('button', { name: 'Layout' }).click()
  await window.getByRole('menuitemcheckbox', { name: 'Stacked' }).click()
  await control(sleeper, 'Close terminal')
  await expect(sleeper).toHaveCount(0)
})

test('a terminal of one’s own opens in the workspace', async ({ deckhand }) => {
  const { window, workspace } = deckhand
  await composer(window).waitFor()
  await window.keyboard.press('Control+Shift+T')
  const own = pane(window, /./)
  await expect(own.getByText('running').first()).toBeVisible()
  await expect(own).toHaveAttribute('data-focused', 'true')
  await expect(own.getByText('you', { exact: true })).toBeVisible()
  await typeInto(own, 'basename "$PWD"; echo own-$((40+2)); tput cols\n')
  await expect(screenOf(own)).toContainText('own-42')
  await expect(screenOf(own)).toContainText(workspace.split('/').at(-1) ?? '')
  await typeInto(own, 'sleep 300\n')
  await window.keyboard.press('Control+C')
  await typeInto(own, 'echo after-$?\n')
  await expect(screenOf(own)).toContainText('after-130')
  await picture(deckhand, 'terminal-own')
  await typeInto(own, 'exit 3\n')
  await expect(own.getByText('exit 3').first()).toBeVisible()
})

/** Draws in the rows between a title and a foot that stay where they are, a line for each key. */
const drawing = `stty -icanon -echo
printf '\\033[?1049h\\033[2J\\033[1;1Htitle\\033[8;1Hfoot\\033[2;6r\\033[2;1H'
n=0
while key=$(dd bs=1 count=1 2>/dev/null) && [ "$key" != q ]; do n=$((n+1)); printf 'key %s\\r\\n' "$n"; done
printf '\\033[r\\033[?1049l'; stty sane; echo "$n keys"`

test('a full-screen program goes on where it was after a reload of the window', async ({ deckhand }) => {
  const { window, workspace } = deckhand
  writeFileSync(join(workspace, 'draw.sh'), drawing)
  await composer(window).waitFor()
  await window.keyboard.press('Control+Shift+T')
  const own = pane(window, /./)
  await expect(own.getByText('running').first()).toBeVisible()
  const shows = (rows: string[]) =>
    expect(async () => {
      const shown = await screenOf(own).getByRole('listitem').allTextContents()
      expect(shown.slice(0, 8).map((row) => row.trim())).toEqual(rows)
    }).toPass()

  await typeInto(own, 'sh draw.sh\n')
  await shows(['title', '', '', '', '', '', '', 'foot'])
  await typeInto(own, 'abcdef')
  const drawn = ['title', 'key 3', 'key 4', 'key 5', 'key 6', '', '', 'foot']
  await shows(drawn)
  await window.reload()
  await shows(drawn)
  await typeInto(own, 'gh')
  await shows(['title', 'key 5', 'key 6', 'key 7', 'key 8', '', '', 'foot'])
  await typeInto(own, 'q')
  await expect(screenOf(own)).toContainText('8 keys')
})

/** Rounds of a megabyte each, in lines of 16 bytes, until a file says stop; a terminal adds a carriage return a line. */
const flood = 'n=0; until [ -e stop ]; do yes 0123456789abcde | head -c 1000000; n=$((n+1)); done; echo rounds=$n'
const roundBytes = 1_000_000 + 1_000_000 / 16

test('a flood leaves the chat and the other panes usable, and none of it is missing from the log', async ({
  deckhand,
  model,
}) => {
  test.slow()
  const { window, workspace, dataDir } = deckhand
  writeFileSync(join(workspace, 'flood.sh'), flood)
  model.push(
    calls('Bash', { command: 'sh flood.sh', background: true }),
    calls('Bash', { command: 'cat', background: true }),
    says('Both are under way.'),
  )
  await say(window, 'Flood it')
  await answer(card(window, 'flood.sh'), 'Allow once')
  await expect(card(window).or(window.getByText('Both are under way.'))).toBeVisible()
  if (await card(window).isVisible()) await answer(card(window), 'Allow once')
  await expect(window.getByText('Both are under way.')).toBeVisible()
  const flooding = pane(window, 'sh flood.sh')
  await expect(flooding.getByText('running').first()).toBeVisible()

  const quiet = pane(window, 'cat')
  await typeInto(quiet, 'echo while it floods\n')
  await expect(screenOf(quiet)).toContainText('echo while it floods')
  const halfway = gate()
  model.push([{ text: 'Still here' }, { gate: halfway }, { text: ' and talking.' }])
  await say(window, 'Are you there?')
  await expect(window.getByText('Still here')).toBeVisible()
  halfway.open()
  await expect(window.getByText('Still here and talking.')).toBeVisible()
  await composer(window).pressSequentially('typing goes on')
  await expect(composer(window)).toHaveValue('typing goes on')
  await deckhand.screenshot('terminal-flood')
  // At least fifty megabytes, however fast this machine is.
  const logs = join(dataDir, 'processes')
  await expect(() => expect(largest(logs)).toBeGreaterThan(50_000_000)).toPass({ timeout: 120_000 })
  expect(await flooding.getAttribute('data-live')).toBe('true')

  model.push(says('The flood is over.'))
  writeFileSync(join(workspace, 'stop'), '')
  await expect(window.getByText('The flood is over.')).toBeVisible({ timeout: 60_000 })
  await expect(flooding.getByText('exit 0').first()).toBeVisible()
  await expect(screenOf(flooding)).toContainText('rounds=')
  const rounds = Number(/rounds=(\d+)/.exec(lastRequest(deckhand))?.[1])
  expect(largest(logs)).toBe(rounds * roundBytes + `rounds=${rounds}\r\n`.length)
})

const filesIn = (folder: string): string[] =>
  readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))

const largest = (folder: string): number => Math.max(0, ...filesIn(folder).map((file) => statSync(file).size))

test('the agent is woken by what the user wants it to watch for in a terminal', async ({ deckhand, model }) => {
  const { window } = deckhand
  model.push(says('Ready when you are.'))
  await say(window, 'Help me with my server')
  await expect(window.getByText('Ready when you are.')).toBeVisible()
  await window.keyboard.press('Control+Shift+T')
  const terminal = pane(window, 'Terminal')
  await typeInto(terminal, '')

  await control(terminal, 'More actions')
  await window.getByRole('menuitem', { name: 'Notify the agent when…' }).click()
  const dialog = window.getByRole('dialog', { name: 'Notify the agent when…' })
  await dialog.getByRole('button', { name: 'Watch' }).click()
  await expect(dialog.getByText('Enter the text to wait for.')).toBeVisible()
  await dialog.getByLabel('Text').fill('listening at 42')
  await picture(deckhand, 'watch-dialog')
  await dialog.getByRole('button', { name: 'Watch' }).click()
  const watched = terminal.getByRole('list', { name: 'Agent notifications' })
  await expect(watched).toContainText('Notifies the agent when it prints “listening at 42”')
  await picture(deckhand, 'watch')

  model.push(says('Your server listens now.'))
  await typeInto(terminal, 'echo listening at $((6 * 7))\n')
  await expect(window.getByText('Your server listens now.')).toBeVisible()
  await expect(watched).toHaveCount(0)
  expect(lastRequest(deckhand)).toContain('printed what was watched for: listening at 42')

  await control(terminal, 'More actions')
  await window.getByRole('menuitem', { name: 'Notify the agent when…' }).click()
  await dialog.getByLabel('When').click()
  await window.getByRole('option', { name: 'It exits' }).click()
  await dialog.getByRole('button', { name: 'Watch' }).click()
  await watched.getByRole('button', { name: 'Stop watching: ends' }).click()
  await expect(watched).toHaveCount(0)
})
