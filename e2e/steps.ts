/** What a user does in the window and looks for in it, a word for each. */
import type { Locator, Page } from 'playwright'
import { isProcessAlive } from '../src-main/process-alive'
import { type Deckhand, expect } from './app'

export const composer = (window: Page): Locator => window.getByLabel('Message to Deckhand')

export async function say(window: Page, text: string): Promise<void> {
  await composer(window).fill(text)
  await composer(window).press('Enter')
}

/** The approval card that waits, or the one with this text in it. */
export const card = (window: Page, text?: string | RegExp): Locator => {
  const cards = window.locator('[data-approval-card]')
  return text === undefined ? cards : cards.filter({ hasText: text })
}

/** Presses a button of a card until the card takes it: what comes within its first moments does not count. */
export const answer = (waiting: Locator, button: string | RegExp): Promise<void> =>
  untilAnswered(waiting, (asked) => asked.getByRole('button', { name: button }).click({ timeout: 5000 }))

/** The same by keys, wherever the keyboard is. */
export const answerBy = (waiting: Locator, keys: string): Promise<void> =>
  untilAnswered(waiting, (asked) => asked.page().keyboard.press(keys))

async function untilAnswered(waiting: Locator, give: (asked: Locator) => Promise<void>): Promise<void> {
  // This very card: the next one may look the same.
  const id = await waiting.getAttribute('data-approval-card', { timeout: 30_000 })
  const asked = waiting.page().locator(`[data-approval-card="${id}"]`)
  await expect(async () => {
    if (await asked.isVisible()) await give(asked)
    await expect(asked).toBeHidden({ timeout: 3000 })
  }).toPass()
}

/** The line of a tool call, once it is no question any more. */
export const toolLine = (window: Page, text: string | RegExp): Locator =>
  window.getByRole('region', { name: 'Conversation' }).locator('button.chat-tool-line').filter({ hasText: text })

/** A process in the deck, by the beginning of its command. */
export const pane = (window: Page, command: string | RegExp): Locator =>
  window.getByRole('region', { name: 'Terminals' }).getByRole('article', { name: command })

/** Presses a button of a pane; they are in view while the pointer is on its header. */
export async function control(terminal: Locator, name: string | RegExp): Promise<void> {
  await terminal.locator('.terminal-head').hover()
  await terminal.getByRole('button', { name }).click()
}

/** What stands on a pane's screen, as a screen reader has it. */
export const screenOf = (terminal: Locator): Locator => terminal.locator('.xterm-accessibility')

/** Gives a pane the keyboard. */
export async function typeInto(terminal: Locator, text: string): Promise<void> {
  const input = terminal.getByRole('textbox', { name: /^Terminal: / })
  await input.focus()
  await expect(terminal).toHaveAttribute('data-focused', 'true')
  await input.page().keyboard.type(text)
}

export const sessionRow = (window: Page, title: string | RegExp): Locator =>
  window.getByRole('navigation', { name: 'Sessions' }).locator('[data-row]').filter({ hasText: title })

type PageName =
  | 'Inbox'
  | 'Schedule'
  | 'Nodes'
  | 'Agents'
  | 'Skills'
  | 'Memory'
  | 'Channels'
  | 'MCP servers'
  | 'Rules'
  | 'Settings'

export async function openPage(window: Page, name: PageName): Promise<void> {
  const bar = window.getByRole('navigation', { name: 'Sessions' })
  if (name === 'Inbox' || name === 'Schedule' || name === 'Settings')
    return bar.getByRole('button', { name: new RegExp(`^${name}\\b`) }).click()
  await bar.getByRole('button', { name: /^More(?! for)/ }).click()
  await window.getByRole('menuitem', { name: new RegExp(`^${name}\\b`) }).click()
}

export async function chooseMode(window: Page, label: string): Promise<void> {
  await window.getByRole('button', { name: /^Approval: / }).click()
  await window.getByRole('menuitemcheckbox', { name: new RegExp(`^${label}`) }).click()
  await expect(window.getByRole('button', { name: `Approval: ${label}` })).toBeVisible()
}

/** What the model was sent last, as text. */
export const lastRequest = (deckhand: Deckhand): string => JSON.stringify(deckhand.model.requests.at(-1)?.body.messages)

export const themes = ['light', 'dark'] as const
type Theme = (typeof themes)[number]

/** Shows the window as on a system with this theme. */
export async function setTheme(deckhand: Deckhand, theme: Theme): Promise<void> {
  await deckhand.window.emulateMedia({ colorScheme: theme })
  await expect(deckhand.window.locator('html')).toHaveAttribute('data-theme', theme)
}

/** Keeps pictures of what is to be seen now, in both themes; in every size if that is wished. */
export async function picture(deckhand: Deckhand, name: string): Promise<void> {
  if (process.env.DECKHAND_EVERY_SIZE === 'yes') return everySize(deckhand, name)
  for (const theme of themes) {
    await setTheme(deckhand, theme)
    await deckhand.screenshot(`${name}-${theme}`)
  }
}

/** Pictures in both themes and all the sizes that people use, the last as at 200 % zoom. */
export async function everySize(deckhand: Deckhand, name: string): Promise<void> {
  const sizes = [
    [1280, 800],
    [900, 650],
    [640, 400],
  ] as const
  for (const [width, height] of sizes) {
    await deckhand.window.setViewportSize({ width, height })
    for (const theme of themes) {
      await setTheme(deckhand, theme)
      await deckhand.screenshot(`${name}-${width}-${theme}`)
    }
  }
  await deckhand.window.setViewportSize({ width: 1280, height: 800 })
}

export async function waitForEnd(pid: number): Promise<void> {
  await expect(() => expect(isProcessAlive(pid)).toBe(false)).toPass()
}
