import xterm from '@xterm/headless'
import { expect, test } from 'vitest'
import { createRandom } from '../../security/fuzz/grammar'
import { createSanitiser } from './sanitise'
import { createUtf8Stream } from './utf8-stream'

const inputs = 100_000
/** How many inputs share a terminal and its sanitiser, so that what one input leaves behind affects the next. */
const perTerminal = 500
const stallMs = 100

/** The parser without its queue, so that the cost of an input can be measured directly. */
interface Parser {
  _core: { writeSync(text: string): void }
}

test('100,000 hostile inputs neither stall a terminal nor make it answer', { timeout: 600_000 }, () => {
  const seed = Number(process.env.DECKHAND_SEED ?? Date.now() % 1_000_000)
  const random = randomFrom(seed)
  const stalls: { input: string; ms: number }[] = []
  const answers: string[] = []
  for (let done = 0; done < inputs; done += perTerminal) {
    const terminal = new xterm.Terminal({
      cols: 80,
      rows: 30,
      scrollback: 1000,
      allowProposedApi: true,
      logLevel: 'off',
    })
    terminal.onData((data) => answers.push(data))
    terminal.onBinary((data) => answers.push(data))
    const decoder = createUtf8Stream()
    const sanitiser = createSanitiser({ rows: () => terminal.rows, live: true })
    for (let index = 0; index < perTerminal; index++) {
      const bytes = hostile(random)
      const cut = random(bytes.length + 1)
      const before = process.cpuUsage()
      // In two pieces, since a sequence may be cut anywhere.
      for (const piece of [bytes.subarray(0, cut), bytes.subarray(cut)])
        (terminal as unknown as Parser)._core.writeSync(sanitiser.push(decoder.push(piece)))
      const { user, system } = process.cpuUsage(before)
      // Processor time, not wall-clock time, so that other work on the machine does not count.
      const ms = (user + system) / 1000
      if (ms > stallMs) stalls.push({ input: bytes.toString('latin1').slice(0, 200), ms })
    }
    terminal.dispose()
  }
  expect({ seed, stalls, answers }).toEqual({ seed, stalls: [], answers: [] })
})

type Random = (below: number) => number

function randomFrom(seed: number): Random {
  const next = createRandom(seed)
  return (below) => Math.floor(next() * below)
}

const oneOf = <T>(random: Random, all: readonly T[]): T => all[random(all.length)] as T
const many = (random: Random, most: number, make: () => string): string =>
  Array.from({ length: random(most + 1) }, make).join('')

const numbers = [
  '',
  '0',
  '1',
  '2',
  '30',
  '80',
  '255',
  '1049',
  '9999',
  '65536',
  '2147483647',
  '4294967296',
  '9'.repeat(40),
]
const finals = Array.from({ length: 0x7e - 0x40 + 1 }, (_, index) => String.fromCharCode(0x40 + index))
const introducers = ['\x1b]', '\x1bP', '\x1b_', '\x1b^', '\x1bX', '\u009d', '\u0090', '\u009f', '\u009e', '\u0098']
const ends = ['\x07', '\x1b\\', '\u009c', '\x18', '\x1a', '']
const commands = [
  '0',
  '2',
  '4',
  '7',
  '8',
  '9',
  '10',
  '11',
  '52',
  '104',
  '133',
  '633',
  '1337',
  '$q',
  '+q',
  '!z',
  'q',
  '99999999999',
]
const words = [
  '?',
  'c;?',
  'c;cm0gLXJmIH4=',
  ';https://example.test/',
  ';file:///etc/passwd',
  ';javascript:alert(1)',
  'rgb:ff/00/00',
]
const plain = [
  'x',
  '\r',
  '\n',
  '\t',
  '\b',
  '\x05',
  '\x0e',
  '\x0f',
  '\0',
  '漢',
  '👩‍👩‍👧',
  'e\u0301',
  '\u202e',
  '\u200b',
  '\u0085',
  '\ufffd',
]

/** One to four pieces that a program might send to trick or freeze a terminal. */
function hostile(random: Random): Buffer {
  const pieces = Array.from({ length: 1 + random(4) }, () =>
    oneOf(random, [control, string, short, text, noise])(random),
  )
  return Buffer.concat(pieces)
}

function control(random: Random): Buffer {
  const parameters = many(random, 4, () => oneOf(random, numbers) + oneOf(random, [';', ':', '']))
  const between = oneOf(random, ['', '', '', ' ', '!', '"', '$', "'", '*'])
  const sequence = `${oneOf(random, ['\x1b[', '\u009b'])}${oneOf(random, ['', '', '?', '>', '=', '<'])}${parameters}${between}${oneOf(random, finals)}`
  return Buffer.from(sequence.repeat(random(20) === 0 ? 50 : 1))
}

function string(random: Random): Buffer {
  const payload = many(random, 3, () => oneOf(random, words)) + oneOf(random, ['', 'A'.repeat(random(6000))])
  return Buffer.from(`${oneOf(random, introducers)}${oneOf(random, commands)};${payload}${oneOf(random, ends)}`)
}

const short = (random: Random): Buffer =>
  Buffer.from(
    `\x1b${oneOf(random, ['', '(', ')', '#', '%', ' ', '*', '+'])}${oneOf(random, [...finals, '3', '7', '8', '=', '>'])}`,
  )

const text = (random: Random): Buffer => Buffer.from(many(random, 12, () => oneOf(random, plain)).repeat(1 + random(8)))

const noise = (random: Random): Buffer => Buffer.from(Array.from({ length: random(40) }, () => random(256)))
