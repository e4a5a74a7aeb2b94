import headless from '@xterm/headless'
import { createPlainText } from '../src-main/nodes/plain-text'
import { createSanitiser } from '../src-main/pty-host/sanitise'
import { type Case, expand, type Judge, type Result, verdict } from './cases'

const mostMs = 100
/** Text that is only long may take as long as it takes to read. */
const msForEachMegabyte = 400
const keptStrings = /\x1b\](?!(?:[0124]|8|1[0-2]|104|11[0-2]);?)[^\x07\x1b]*/
const linkSchemes = /\x1b\]8;[^;]*;(?!https?:\/\/|\x1b|\x07|$)/

/** Bytes that a program prints, on their way through what stands before every terminal parser, into a real one. */
export const terminalJudge: Judge = {
  classes: ['terminal-escape'],
  async run(cases) {
    const results: Result[] = []
    for (const one of cases) results.push(await judge(one))
    return results
  },
}

async function judge(one: Case): Promise<Result> {
  const input = expand(one.input)
  const text = typeof input === 'string' ? input : String((input as { data?: unknown }).data ?? '')
  const troubles = [...(await showBest(text, text.length)), ...(await showBest(text, 1)), ...read(text)]
  return verdict(one, troubles.length === 0, troubles.join('; '))
}

/** A busy machine may be slow once or twice; a sequence that freezes does so every time. */
async function showBest(text: string, pieces: number): Promise<string[]> {
  let troubles: string[] = []
  for (let attempt = 0; attempt < 5; attempt++) {
    troubles = await show(text, pieces)
    if (!troubles.every((trouble) => trouble.startsWith('it took'))) return troubles
    if (troubles.length === 0) return []
  }
  return troubles
}

async function show(text: string, pieces: number): Promise<string[]> {
  // One character at a time is slow by itself; long inputs repeat themselves anyway.
  const all = pieces === 1 ? text.slice(0, 20_000) : text
  const terminal = new headless.Terminal({ cols: 80, rows: 24, scrollback: 100, allowProposedApi: true })
  const answers: string[] = []
  const titles: string[] = []
  terminal.onData((data) => answers.push(data))
  terminal.onTitleChange((title) => titles.push(title))
  const sanitiser = createSanitiser({ rows: () => 24, live: false })
  const startedAt = performance.now()
  let shown = ''
  for (let at = 0; at < all.length; at += pieces) shown += sanitiser.push(all.slice(at, at + pieces))
  await new Promise<void>((written) => terminal.write(`${shown}after`, written))
  const took = performance.now() - startedAt
  terminal.dispose()
  const troubles: string[] = []
  const limit = mostMs + (all.length / 1_000_000) * msForEachMegabyte + (pieces === 1 ? mostMs : 0)
  if (took > limit) troubles.push(`it took ${took.toFixed(0)} ms`)
  if (answers.length > 0) troubles.push(`the terminal answered ${JSON.stringify(answers.join(''))}`)
  if (keptStrings.test(shown))
    troubles.push(`an OSC passed: ${JSON.stringify(keptStrings.exec(shown)?.[0].slice(0, 40))}`)
  if (linkSchemes.test(shown)) troubles.push('a link of another scheme passed')
  if (/\x1b\]8;[^\x07\x1b]{2100}/.test(shown)) troubles.push('a link was too long')
  if (/\x1b[P_^X]/.test(shown)) troubles.push('a device string passed')
  if (titles.some((title) => title.length > 200 || /[\x00-\x1f\x7f]/.test(title)))
    troubles.push('a title was not cleaned')
  if (shown.length > all.length + 1000) troubles.push('it grew')
  return troubles
}

/** What the model reads of it. */
function read(text: string): string[] {
  const plain = createPlainText()
  const out = plain.push(text) + plain.end()
  return /[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\x9b]/.test(out) ? ['the model would read control characters'] : []
}
