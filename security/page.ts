import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { calls, says } from '../e2e/scripted-model'
import { type AppWindow, callFrom, openApp } from './app-window'
import { type Case, expand, failed, type Judge, type Result, undecided, verdict } from './cases'

const settleMs = 60_000

/** Text of a model, shown in the real window. */
export const pageJudge: Judge = {
  classes: ['chat-xss'],
  async run(cases) {
    const opened = await openApp()
    const results: Result[] = []
    try {
      for (const one of cases)
        results.push(await judge(one, opened).catch((error: Error) => failed(one, error.message.slice(0, 200))))
    } finally {
      await opened.close()
    }
    return results
  },
}

async function judge(one: Case, opened: AppWindow): Promise<Result> {
  const input = expand(one.input)
  if (typeof input === 'string') return judgeText(one, input, opened)
  const { where = '', value = '' } = input as { where?: string; value?: string }
  if (where.includes('diff')) return judgeDiff(one, value, opened)
  if (/image|svg|picture/.test(where)) return judgePicture(one, value, opened)
  return undecided(one, `no window shows this: ${where}`)
}

async function judgeText(one: Case, text: string, opened: AppWindow): Promise<Result> {
  opened.model.push(says(text))
  await send(opened, one.id)
  await settled(opened)
  return look(one, opened)
}

/** The difference that a card shows before a file is written. */
async function judgeDiff(one: Case, text: string, opened: AppWindow): Promise<Result> {
  opened.model.push(calls('Write', { path: 'x.html', content: text }), says('Not written.'))
  await send(opened, one.id)
  const card = opened.page.locator('[data-approval-card]')
  await card.waitFor({ timeout: settleMs })
  const result = await look(one, opened)
  await opened.page.waitForTimeout(500)
  await card.getByRole('button', { name: /^Deny/ }).first().click()
  await settled(opened)
  return result
}

/** A picture of the workspace that the agent looks at. */
async function judgePicture(one: Case, text: string, opened: AppWindow): Promise<Result> {
  writeFileSync(join(opened.workspace, 'picture.svg'), text)
  opened.model.push(calls('Read', { path: 'picture.svg' }), says('Seen.'))
  await send(opened, one.id)
  await settled(opened)
  await opened.page.getByText('picture.svg').last().click()
  await opened.page.waitForTimeout(300)
  return look(one, opened)
}

async function send({ page, model }: AppWindow, text: string): Promise<void> {
  const asked = model.requests.length
  const composer = page.getByLabel('Message to Deckhand')
  await composer.fill(text)
  await composer.press('Enter')
  await model.requested(asked + 1)
}

async function settled({ page, model }: AppWindow): Promise<void> {
  const deadline = Date.now() + settleMs
  while (Date.now() < deadline) {
    const { value } = await callFrom(page, 'session.list', {})
    if (model.left === 0 && value?.every(({ status }: { status: string }) => status === 'idle')) break
    await page.waitForTimeout(50)
  }
  // What a script or a picture would do, it does with the next frames.
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(null)))))
  await page.waitForTimeout(50)
}

async function look(one: Case, { page, requests, dialogs }: AppWindow): Promise<Result> {
  const startedAt = Date.now()
  const found = await page.evaluate(inspect)
  const troubles = [...found]
  if (Date.now() - startedAt > 5000) troubles.push('the page did not answer for seconds')
  if (requests.length > 0) troubles.push(`it asked for ${requests.splice(0).join(', ')}`)
  if (dialogs.length > 0) troubles.push(`a script ran: ${dialogs.splice(0).join(', ')}`)
  if (page.url() !== 'deckhand://app/') troubles.push(`it went to ${page.url()}`)
  return verdict(one, troubles.length === 0, troubles.join('; '))
}

/** In the page: what rendered text must never become. */
function inspect(): string[] {
  const troubles: string[] = []
  const shown = document.querySelector('[aria-label="Conversation"]') ?? document.body
  const forbidden =
    'script, iframe, object, embed, form, base, meta, link, style, audio, video, webview, frame, portal, template'
  for (const element of shown.querySelectorAll(forbidden)) troubles.push(`there is a ${element.tagName.toLowerCase()}`)
  for (const element of shown.querySelectorAll('*')) {
    for (const { name, value } of element.attributes) {
      if (name.startsWith('on')) troubles.push(`${element.tagName.toLowerCase()} has ${name}`)
      if (
        /^(?:href|src|action|formaction|xlink:href)$/.test(name) &&
        !/^(?:https?:|deckhand:|data:image\/|blob:|#|mailto:|$)/i.test(value.trim())
      )
        troubles.push(`${name} leads to ${value.slice(0, 60)}`)
      if (name === 'src' && /^https?:/i.test(value)) troubles.push(`src leads to ${value.slice(0, 60)}`)
      if (name === 'style' && /position\s*:\s*fixed|url\(/i.test(value)) troubles.push(`style is ${value.slice(0, 60)}`)
    }
  }
  if (typeof (globalThis as { deckhand?: { call?: unknown } }).deckhand?.call !== 'function')
    troubles.push('the bridge was replaced')
  return [...new Set(troubles)]
}
