import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { longLength, writeSessions } from './long-sessions'
import { atMost, median, milliseconds, quantile, type Row } from './row'
import { inWindow, ourApp } from './window'

const rounds = 7
const scrolls = 3
const frames = 240

/** A session of 10,000 messages: how it opens beside an empty one, and how it scrolls beside one of plain text. */
export async function measure(tell: (line: string) => void): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'deckhand-bench-'))
  try {
    tell(`session: writing sessions of ${longLength} messages …`)
    // One more of each, for what is read once only: code that the first session of its kind needs.
    const count = rounds + 1
    const { long, plain, empty } = writeSessions(folder, { long: count, plain: 1, empty: count })
    const pairs = long.flatMap((title, n) => [{ title, shows: `The end of ${title}` }, { title: empty[n] ?? '' }])
    const times = await inWindow<number[]>(ourApp, folder, { name: 'open', sessions: pairs })
    const opened = (odd: number) => times.filter((_, n) => n > 1 && n % 2 === odd)
    const row = atMost(
      'a session of 10,000 messages opens, beside an empty one',
      median(opened(0)),
      median(opened(1)),
      2,
      milliseconds,
    )
    return [row, ...(await scrolling(folder, long[0] ?? '', plain[0] ?? '', tell))]
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  }
}

/** In a window of its own for each round, since what was read once scrolls more lightly. */
async function scrolling(folder: string, long: string, plain: string, tell: (line: string) => void): Promise<Row[]> {
  const seen = { long: [] as number[][], plain: [] as number[][] }
  for (let round = 0; round < scrolls; round++) {
    const order = [plain, long].map((title) => ({ title, shows: `The end of ${title}` }))
    const [ofPlain = [], ofLong = []] = await inWindow<number[][]>(ourApp, folder, {
      name: 'scroll',
      sessions: order,
      frames,
    })
    seen.plain.push(ofPlain)
    seen.long.push(ofLong)
    const worst = (times: number[]) => milliseconds(Math.max(...times))
    tell(`scroll, round ${round + 1}: worst frame ${worst(ofLong)}, of plain text ${worst(ofPlain)}`)
  }
  const over = (rounds: number[][], q: number) => median(rounds.map((times) => quantile(times, q)))
  const compare = (what: string, q: number): Row => ({
    ...atMost(what, over(seen.long, q), over(seen.plain, q), 2, milliseconds),
  })
  return [
    compare('scrolling it, median frame, beside plain text', 0.5),
    compare('scrolling it, one frame in a hundred, beside plain text', 0.99),
  ]
}
