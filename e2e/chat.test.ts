import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isProcessAlive } from '../src-main/process-alive'
import { expect, test } from './app'
import { calls, gate, says } from './scripted-model'
import { answer, card, composer, lastRequest, pane, picture, say, toolLine, waitForEnd } from './steps'

test('an answer streams with its reasoning, Markdown and code that can be copied', async ({ deckhand, model }) => {
  const { app, window } = deckhand
  const thinking = gate()
  const halfway = gate()
  model.push([
    { reasoning: 'The user wants a loop.\nA while loop will do.' },
    { gate: thinking },
    { text: '# A loop\n\nHere is **one** with `while`:\n\n```ts\nwhile (true) {\n' },
    { gate: halfway },
    { text: '  step()\n}\n```\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n[the manual](https://example.org/)\n' },
  ])
  await say(window, 'Show me a loop')
  await expect(window.getByRole('button', { name: /^Thinking…/ })).toContainText('A while loop will do.')
  thinking.open()
  await expect(window.getByRole('heading', { name: 'A loop', exact: true })).toBeVisible()
  await expect(window.getByText('while (true)')).toBeVisible()
  await expect(window.getByRole('button', { name: 'Stop' })).toBeVisible()
  halfway.open()
  await expect(window.getByRole('cell', { name: '2' })).toBeVisible()
  await expect(window.getByRole('button', { name: 'Stop' })).toBeHidden()

  const thought = window.getByRole('button', { name: /^Thought/ })
  await expect(thought).toHaveAttribute('aria-expanded', 'false')
  await thought.click()
  await expect(window.getByText('The user wants a loop.')).toBeVisible()
  await thought.click()
  await expect(window.getByText('The user wants a loop.')).toBeHidden()

  await window.getByRole('button', { name: 'Copy code' }).click()
  await expect(window.getByRole('button', { name: 'Copied' })).toBeVisible()
  const copied = await app.evaluate(({ clipboard }) => clipboard.readText())
  expect(copied.trim()).toBe('while (true) {\n  step()\n}')
  await picture(deckhand, 'chat-markdown')
})

test('stopping ends the turn, the command and everything that the command started', async ({ deckhand, model }) => {
  const { window, workspace } = deckhand
  writeFileSync(join(workspace, 'work.sh'), 'sleep 300 &\necho $! > child.pid\necho started\nwait\n')
  model.push(calls('Bash', { command: 'sh work.sh' }))
  await say(window, 'Do the work')
  await answer(card(window), 'Allow once')
  await expect(pane(window, 'sh work.sh').getByText('running').first()).toBeVisible()
  await expect(() => expect(existsSync(join(workspace, 'child.pid'))).toBe(true)).toPass()
  const child = Number(readFileSync(join(workspace, 'child.pid'), 'utf8'))
  expect(isProcessAlive(child)).toBe(true)
  await window.getByRole('button', { name: 'Stop', exact: true }).click()
  await expect(toolLine(window, 'sh work.sh')).toContainText('stopped')
  await waitForEnd(child)
  await expect(window.getByRole('button', { name: 'Stop', exact: true })).toBeHidden()
  await picture(deckhand, 'chat-stopped')

  model.push(says('Here again.'))
  await say(window, 'Still there?')
  await expect(window.getByText('Here again.')).toBeVisible()
})

test('a stream that is being written can be stopped with Escape, and what had come stays', async ({
  deckhand,
  model,
}) => {
  const { window } = deckhand
  model.push([{ text: 'The first words' }, { silence: true }])
  await say(window, 'Talk')
  await expect(window.getByText('The first words')).toBeVisible()
  await composer(window).press('Escape')
  await expect(window.getByRole('button', { name: 'Stop', exact: true })).toBeHidden()
  await expect(window.getByText('The first words')).toBeVisible()
  await expect(() => expect(model.requests[0]?.aborted).toBe(true)).toPass()
})

test('messages wait in a queue that can be seen and changed, and one steers the running turn', async ({
  deckhand,
  model,
}) => {
  const { window } = deckhand
  const working = gate()
  model.push(
    [{ text: 'Working.' }, { gate: working }, { call: 'Time' }],
    says('Steered.'),
    says('Answer to the queued one.'),
  )
  await say(window, 'Begin')
  await expect(window.getByText('Working.')).toBeVisible()
  await say(window, 'first in line')
  await say(window, 'not needed')
  await say(window, 'turn left')
  const queue = window.getByRole('list', { name: /queued$/ })
  await expect(queue.getByRole('listitem')).toHaveCount(3)
  const row = (text: string) => queue.getByRole('listitem').filter({ hasText: text })
  await row('first in line').getByRole('button', { name: 'Edit' }).click()
  await queue.getByLabel('Edit the queued message').fill('first in line, but changed')
  await queue.getByLabel('Edit the queued message').press('Enter')
  await row('not needed').getByRole('button', { name: 'Remove' }).click()
  await expect(queue.getByRole('listitem')).toHaveCount(2)
  await picture(deckhand, 'chat-queue')
  await row('turn left').getByRole('button', { name: 'Send now' }).click()
  await composer(window).fill('and then right')
  await composer(window).press('Control+Enter')
  await expect(window.getByText('sent while it was working')).toHaveCount(2)
  await expect(queue.getByRole('listitem')).toHaveCount(1)
  working.open()
  await expect(window.getByText('Answer to the queued one.')).toBeVisible()
  const second = JSON.stringify(model.requests[1]?.body.messages)
  expect(second).toContain('turn left')
  expect(second).toContain('and then right')
  expect(second).not.toContain('first in line')
  expect(lastRequest(deckhand)).toContain('first in line, but changed')
  expect(lastRequest(deckhand)).not.toContain('not needed')
  await expect(queue).toBeHidden()
})

test('a past message is edited into a branch, and an answer is asked for again', async ({ deckhand, model }) => {
  const { window } = deckhand
  model.push(says('Blue, of course.'), says('It is wide.'))
  await say(window, 'Which colour has the sea?')
  await expect(window.getByText('Blue, of course.')).toBeVisible()
  await say(window, 'And how wide is it?')
  await expect(window.getByText('It is wide.')).toBeVisible()

  model.push(says('It is very wide.'))
  await window.getByRole('article', { name: 'Deckhand' }).last().hover()
  await window.getByRole('button', { name: 'Regenerate' }).click()
  await expect(window.getByText('It is very wide.')).toBeVisible()
  await expect(window.getByText('It is wide.', { exact: true })).toBeHidden()

  model.push(says('Grey today.'))
  const first = window.getByRole('article', { name: 'You' }).first()
  await first.hover()
  await first.getByRole('button', { name: 'Edit in a new branch' }).click()
  await window.getByLabel('Edit the message').fill('Which colour has the sky?')
  await window.getByRole('button', { name: 'Branch', exact: true }).click()
  await expect(window.getByText('Grey today.')).toBeVisible()
  await expect(window.getByText('It is very wide.')).toBeHidden()
  expect(lastRequest(deckhand)).not.toContain('Which colour has the sea?')

  const sessions = window.getByRole('navigation', { name: 'Sessions' }).locator('[data-row]')
  await expect(sessions).toHaveCount(2)
  await sessions.filter({ hasText: 'sea' }).click()
  await expect(window.getByText('It is very wide.')).toBeVisible()
})

const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

test('files and images are attached by button, paste and drop, and reach the model', async ({ deckhand, model }) => {
  const { window } = deckhand
  model.push(says('I have read all of it.'))
  await window.getByLabel('Files to attach').setInputFiles([
    { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('the tide is at seven') },
    { name: 'unwanted.txt', mimeType: 'text/plain', buffer: Buffer.from('nothing of interest') },
  ])
  const chips = window.getByRole('list', { name: 'Attached files' })
  await expect(chips).toContainText('notes.txt')
  await chips.getByRole('button', { name: 'Remove unwanted.txt' }).click()

  const transfer = (name: string, type: string, base64: string) =>
    window.evaluateHandle(
      ([file, kind, data]) => {
        const bytes = Uint8Array.from(atob(data as string), (char) => char.charCodeAt(0))
        const carried = new DataTransfer()
        carried.items.add(new File([bytes], file as string, { type: kind as string }))
        return carried
      },
      [name, type, base64],
    )
  const pasted = await transfer('pasted.png', 'image/png', pixel)
  await composer(window).evaluate(
    (box, data) => box.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true })),
    pasted,
  )
  await expect(chips).toContainText('pasted.png')
  const dropped = await transfer('dropped.md', 'text/markdown', Buffer.from('# Dropped').toString('base64'))
  for (const event of ['dragover', 'drop']) await composer(window).dispatchEvent(event, { dataTransfer: dropped })
  await expect(chips).toContainText('dropped.md')
  await picture(deckhand, 'chat-attachments')

  await say(window, 'Look at these')
  await expect(window.getByText('I have read all of it.')).toBeVisible()
  const sent = lastRequest(deckhand)
  expect(sent).toContain('the tide is at seven')
  expect(sent).toContain('# Dropped')
  expect(sent).toContain(`data:image/png;base64,${pixel}`)
  expect(sent).not.toContain('nothing of interest')
  await expect(window.getByRole('button', { name: /notes\.txt/ })).toBeVisible()
  await expect(window.getByRole('article', { name: 'You' }).getByRole('img')).toBeVisible()
})

test('an error of the provider is shown where it happened, and a retry goes on', async ({ deckhand, model }) => {
  const { window } = deckhand
  model.push([{ status: 401, body: { error: { message: 'Incorrect API key provided' } } }])
  await say(window, 'Hello')
  const error = window.getByRole('article').getByRole('alert')
  await expect(error).toContainText(/key/i)
  await expect(error.getByRole('button', { name: 'Open settings' })).toBeVisible()
  await picture(deckhand, 'chat-error')
  model.push(says('Now it works.'))
  await error.getByRole('button', { name: 'Try again' }).click()
  await expect(window.getByText('Now it works.')).toBeVisible()
  await expect(window.getByRole('article', { name: 'You' })).toHaveCount(1)
})

test.describe('with little patience', () => {
  test.use({ launch: { settings: { firstByteSeconds: 8, idleSeconds: 8 } } })

  test('a silent stream counts down before it is given up', async ({ deckhand, model }) => {
    const { window } = deckhand
    model.push([{ text: 'I was about to' }, { silence: true }])
    await say(window, 'Go on')
    await expect(window.getByText(/The answer has paused\. Will stop waiting in \d+ s/)).toBeVisible()
    await deckhand.screenshot('chat-silence')
    await expect(window.getByRole('article').getByRole('alert')).toBeVisible()
    await expect(window.getByText('I was about to')).toBeVisible()
    await expect(window.getByRole('button', { name: 'Try again' })).toBeVisible()
  })
})

test('a picture that was read is on its card, and larger on a click', async ({ deckhand, model }) => {
  const { window, workspace } = deckhand
  const drawn = await window.evaluate(() => {
    const canvas = Object.assign(document.createElement('canvas'), { width: 320, height: 180 })
    const pen = canvas.getContext('2d')
    if (!pen) throw new Error('nothing to draw with')
    for (let x = 0; x < 320; x += 20) {
      pen.fillStyle = `hsl(${x} 70% 55%)`
      pen.fillRect(x, 0, 20, 180)
    }
    return canvas.toDataURL('image/png').replace(/^.*,/, '')
  })
  writeFileSync(join(workspace, 'stripes.png'), Buffer.from(drawn, 'base64'))
  model.push(calls('Read', { path: 'stripes.png' }), says('Sixteen stripes.'))
  await say(window, 'What is on the picture?')
  await expect(window.getByText('Sixteen stripes.')).toBeVisible()
  const shown = window.getByRole('button', { name: /^Enlarge .*stripes\.png/ })
  await expect(shown.getByRole('img')).toHaveJSProperty('naturalWidth', 320)
  await picture(deckhand, 'chat-picture')
  await shown.click()
  await expect(window.getByRole('dialog').getByRole('img')).toBeVisible()
  expect(JSON.stringify(model.requests.at(-1)?.body.messages)).toContain('data:image/png;base64,')
})
