import type { CDPSession, Page } from 'playwright'
import type { Row } from '../bench/row'
import { calls, says } from '../e2e/scripted-model'
import { openApp } from '../security/app-window'
import type { SoakOptions } from './part'

const usualCount = 3000

/** As in a long day: work in one session for a while, then in another. */
const turnsInOneSession = 100
/** What a thousand turns may add to the heap of the page. */
const mostPerThousand = 2_000_000
/**
 * Each turn reads so much, and writes a file, so that calls, terminals and receipts are all there. Each session has a file
 * of its own: about one that another session has changed there would be a question.
 */
const command = (turn: number) =>
  `seq ${turn} ${turn + 1500}; echo ${turn} >> notes-${Math.floor(turn / turnsInOneSession)}.txt`
const answer = (turn: number) => `Turn ${turn} is done.\n\n${'- a point with `code` and **weight**\n'.repeat(40)}`

/** The heap of the real window over many turns in many sessions, with everything collected that nothing holds. */
export async function measure(tell: (line: string) => void, { count, minutes }: SoakOptions): Promise<Row[]> {
  const until = minutes === null ? Number.POSITIVE_INFINITY : Date.now() + minutes * 60_000
  const turns = count ?? (minutes === null ? usualCount : Number.POSITIVE_INFINITY)
  const heaps = await work(turns, until, tell)
  const growth = perThousand(heaps)
  return [
    {
      what: `heap of the window per 1,000 turns, over ${heaps.at(-1)?.turn ?? 0}`,
      ours: megabytes(growth),
      beside: megabytes(mostPerThousand),
      ratio: `${(growth / mostPerThousand).toFixed(2)} ×`,
      goal: '≤ 1 ×',
      met: growth <= mostPerThousand,
    },
  ]
}

interface Heap {
  turn: number
  bytes: number
}

async function work(turns: number, until: number, tell: (line: string) => void): Promise<Heap[]> {
  const opened = await openApp({ defaultMode: 'all' })
  try {
    const { page, model } = opened
    const devtools = await page.context().newCDPSession(page)
    const heaps: Heap[] = []
    for (let turn = 1; turn <= turns && Date.now() < until; turn++) {
      if (turn % turnsInOneSession === 0) await newSession(page, turn - 1)
      model.push(calls('Bash', { command: command(turn) }), says(answer(turn)))
      await say(page, `Do number ${turn}`)
      await page.getByText(`Turn ${turn} is done.`).waitFor({ timeout: 120_000 })
      model.requests.length = 0
      // Before the next session begins, so that all figures are taken with as much in sight.
      if (turn % turnsInOneSession !== turnsInOneSession - 1) continue
      const bytes = await heapOf(devtools)
      heaps.push({ turn, bytes })
      tell(`window, turn ${turn}: ${megabytes(bytes)}`)
    }
    return heaps
  } finally {
    await opened.close()
  }
}

async function newSession(page: Page, lastTurn: number): Promise<void> {
  await page.keyboard.press('Control+N')
  await page.getByText(`Turn ${lastTurn} is done.`).waitFor({ state: 'detached', timeout: 60_000 })
}

async function say(page: Page, text: string): Promise<void> {
  const composer = page.getByLabel('Message to Deckhand')
  await composer.fill(text)
  await composer.press('Enter')
}

async function heapOf(devtools: CDPSession): Promise<number> {
  // Twice: what is freed by a first look may free more.
  for (let round = 0; round < 2; round++) await devtools.send('HeapProfiler.collectGarbage')
  const { usedSize } = await devtools.send('Runtime.getHeapUsage')
  return usedSize
}

/** Sessions that the window has to open before it lets go of the first. */
const warmUp = 4

/** The slope of the line through all figures after the margins have been filled. */
function perThousand(heaps: readonly Heap[]): number {
  const points = heaps.slice(warmUp)
  if (points.length < 2)
    throw new Error(`It takes ${(warmUp + 2) * turnsInOneSession} turns to tell growth from warming up.`)
  const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
  const turn = mean(points.map((point) => point.turn))
  const bytes = mean(points.map((point) => point.bytes))
  const above = points.reduce((sum, point) => sum + (point.turn - turn) * (point.bytes - bytes), 0)
  const below = points.reduce((sum, point) => sum + (point.turn - turn) ** 2, 0)
  return (above / below) * 1000
}

const megabytes = (value: number): string => `${(value / 1_000_000).toFixed(1)} MB`
