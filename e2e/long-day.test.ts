import type { Page } from 'playwright'
import { expect, test } from './app'
import { calls, gate, says } from './scripted-model'
import { answer, card, composer, lastRequest, picture, say, sessionRow } from './steps'

const pile = (count: number) => `e${'\u0301'.repeat(count)}`

/** The longest run of marks on one letter that is in the page, in text and in what is told of elements. */
const longestRun = (window: Page): Promise<number> =>
  window.evaluate(() => {
    let longest = 0
    const look = (text: string | null) => {
      for (const [run] of (text ?? '').matchAll(/\p{M}+/gu)) longest = Math.max(longest, run.length)
    }
    const walker = document.createTreeWalker(document.documentElement, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT)
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      if (node instanceof Element) for (const name of ['title', 'aria-label', 'alt']) look(node.getAttribute(name))
      else look(node.nodeValue)
    }
    return longest
  })

test('a letter with 200,000 marks is drawn with a few, everywhere, and the approval card says so', async ({
  deckhand,
  model,
}) => {
  const { app, window } = deckhand
  const marks = pile(200_000)
  const command = `echo ${pile(30_000)} | tee marks.txt`
  model.push(
    [{ text: `# ${marks}\n\n**${marks}** and \`${marks}\`` }, { call: 'Bash', args: { command } }],
    says('Done.'),
  )
  await say(window, 'Write it')
  await expect(card(window)).toContainText('29,992 combining marks hidden')
  await expect(card(window)).toContainText('29,992 characters that are invisible')
  expect(await longestRun(window)).toBeLessThan(9)
  await picture(deckhand, 'combining-marks')
  await answer(card(window), 'Allow once')
  await expect(window.getByText('Done.')).toBeVisible()
  expect(await longestRun(window)).toBeLessThan(9)
  // What ran, and what is copied, has them all.
  expect(lastRequest(deckhand)).toContain(pile(30_000))
  await window.getByRole('article', { name: 'Deckhand' }).first().hover()
  await window.getByRole('button', { name: 'Copy message' }).last().click()
  await expect(async () => {
    const copied = await app.evaluate(({ clipboard }) => clipboard.readText())
    expect(copied === 'Done.' || copied.includes(marks)).toBe(true)
  }).toPass()
})

test('a paste is taken whole: beyond what a message holds it goes as a file', async ({ deckhand, model }) => {
  const { app, window } = deckhand
  const long = `begin ${'x'.repeat(1_200_000)} the very end`
  const paste = async (text: string) => {
    await app.evaluate(({ clipboard }, words) => clipboard.writeText(words), text)
    await composer(window).focus()
    await window.keyboard.press('Control+V')
  }
  await paste('A short one.')
  await expect(composer(window)).toHaveValue('A short one.')
  await paste(long)
  await expect(window.getByRole('list', { name: 'Attached files' })).toContainText('Pasted text.txt')
  await expect(window.locator('.ui-toast-text')).toHaveText('The pasted text (1.2 MB) was attached as a file.')
  await expect(composer(window)).toHaveValue('A short one.')
  model.push(says('I have it.'))
  await window.keyboard.press('Enter')
  await expect(window.getByText('I have it.')).toBeVisible()
  expect(lastRequest(deckhand)).toContain('the very end')
})

test('a session opens at its latest message, also when the first is a megabyte', async ({ deckhand, model }) => {
  const { window } = deckhand
  model.push(says('Read it.'))
  await composer(window).press('Shift')
  await window.evaluate(
    async (text) => {
      // biome-ignore lint/suspicious/noExplicitAny: the page has no types here
      const { deckhand } = globalThis as any
      const [session] = (await deckhand.call('session.list', {})).value
      await deckhand.call('message.send', { sessionId: session.id, text, attachments: [] })
    },
    `The log:\n${'0123456789 line of a log\n'.repeat(38_000)}`,
  )
  await expect(window.getByText('Read it.')).toBeVisible()
  for (const n of [1, 2, 3, 4, 5, 6]) {
    model.push(says(`Answer ${n}.\n\n${'A line of it.\n\n'.repeat(12)}The end of answer ${n}.`))
    await say(window, `Question ${n}`)
    await expect(window.getByText(`The end of answer ${n}.`)).toBeVisible()
  }
  const inView = () => expect(window.getByText('The end of answer 6.')).toBeInViewport()
  await inView()
  await window.keyboard.press('Control+N')
  await expect(window.getByText('The end of answer 6.')).toHaveCount(0)
  await sessionRow(window, /The log/).click()
  await inView()
  await deckhand.quit()
  const again = await deckhand.relaunch()
  await expect(again.getByText('The end of answer 6.')).toBeInViewport()
  await expect(again.getByRole('button', { name: 'Jump to latest' })).toHaveCount(0)
})

test('what is queued keeps its order after a stop', async ({ deckhand, model }) => {
  const { window } = deckhand
  const held = gate()
  model.push([{ text: 'Working' }, { gate: held }], says('To two.'), says('To three.'), says('To four.'))
  await say(window, 'one')
  await held.reached
  await say(window, 'two')
  await say(window, 'three')
  await window.getByRole('button', { name: 'Stop' }).click()
  const queue = window.getByRole('list', { name: /queued/ }).getByRole('listitem')
  await expect(queue).toHaveCount(2)
  await say(window, 'four')
  await expect(window.getByText('To four.')).toBeVisible()
  const said = window.getByRole('article', { name: 'You' })
  await expect(said).toHaveText([/^one/, /^two/, /^three/, /^four/])
  held.open()
})

test.describe('with a limit of two steps', () => {
  test.use({ launch: { settings: { maxIterations: 2, defaultMode: 'all' } } })

  test('a turn at its limit says so and continues on a click, before the queue', async ({ deckhand, model }) => {
    const { window } = deckhand
    const held = gate()
    model.push(
      calls('Bash', { command: 'echo 1' }),
      [{ gate: held }, { call: 'Bash', args: { command: 'echo 2' } }],
      says('All done.'),
      says('To the next.'),
    )
    await say(window, 'Work')
    await held.reached
    await say(window, 'And next')
    held.open()
    const paused = card(window, 'Paused after 2 steps.')
    await expect(paused).toBeVisible()
    await expect(window.getByRole('list', { name: '1 message queued' })).toBeVisible()
    await picture(deckhand, 'step-limit')
    await answer(paused, 'Continue')
    await expect(window.getByText('To the next.')).toBeVisible()
    const words = await window.locator('[data-message]').allInnerTexts()
    const at = (text: string) => words.findIndex((each) => each.includes(text))
    expect(at('All done.')).toBeLessThan(at('And next'))
    await expect(window.getByRole('button', { name: 'Continue' })).toHaveCount(0)
  })
})
