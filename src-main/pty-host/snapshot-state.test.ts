import { SerializeAddon } from '@xterm/addon-serialize'
import headless from '@xterm/headless'
import { expect, test } from 'vitest'
import { mendSerialized, stateBeyondText } from './snapshot-state'

const open = () => new headless.Terminal({ cols: 20, rows: 8, scrollback: 100, allowProposedApi: true })
const write = (terminal: headless.Terminal, data: string) =>
  new Promise<void>((resolve) => terminal.write(data, resolve))

/** The screen, the cursor, and what the terminal would report to a program about the mouse and its modes. */
function look(terminal: headless.Terminal) {
  const { baseY, cursorX, cursorY, type } = terminal.buffer.active
  const rows = Array.from({ length: terminal.rows }, (_, y) =>
    terminal.buffer.active.getLine(baseY + y)?.translateToString(true),
  )
  const colours = rows.map((_, y) =>
    terminal.buffer.active
      .getLine(baseY + y)
      ?.getCell(0)
      ?.getFgColor(),
  )
  const { coreService, coreMouseService } = (
    terminal as unknown as {
      _core: {
        coreService: { isCursorHidden: boolean; decPrivateModes: object }
        coreMouseService: { activeEncoding: string }
      }
    }
  )._core
  const { isCursorHidden, decPrivateModes } = coreService
  const mouse = coreMouseService.activeEncoding
  return { rows, colours, type, cursorX, cursorY, isCursorHidden, decPrivateModes: { ...decPrivateModes }, mouse }
}

/** A terminal that saw everything, and one that started with a snapshot in the middle. */
async function reload(before: string, after: string) {
  const watched = open()
  await write(watched, before)
  const serializer = new SerializeAddon()
  serializer.activate(watched as never)
  const reloaded = open()
  await write(reloaded, mendSerialized(serializer.serialize()) + stateBeyondText(watched))
  const atOnce = [look(reloaded), look(watched)]
  await write(watched, after)
  await write(reloaded, after)
  return { atOnce, later: [look(reloaded), look(watched)] }
}

const lines = (count: number) => Array.from({ length: count }, (_, i) => `row ${i}\r\n`).join('')

test.each([
  ['a progress bar below a scroll region', '\x1b[1;6r\x1b[8;1Hbar 40%\x1b[1;1H', lines(12)],
  ['a scroll region seen from within', '\x1b[?1049h\x1b[2;5r\x1b[?6h\x1b[2;3Habc', `\x1b[1;1H${lines(6)}`],
  ['half a box in line drawing characters', '\x1b(0lqqk\r\nx', '  x\r\nmqqj\x1b(B text'],
  ['the second set of characters', '\x1b)0abc\x0e', 'qqq\x0fqqq'],
  ['a cursor that was saved', 'ab\x1b7\r\ncd\r\nef', '\x1b8X'],
  ['a cursor that was saved among line drawing', '\x1b(0q\x1b7\x1b(B\r\nplain', '\x1b8q'],
  ['a hidden cursor of another shape', '\x1b[4 q\x1b[?25l text', ' more'],
  ['mouse reports as programs ask for them today', '\x1b[?1049h\x1b[?1002h\x1b[?1006h', ' '],
  ['a cursor in the midst of text', `${lines(5)}\x1b[3;4H\x1b[7mX`, 'YZ'],
  ['a line that is full and waits to wrap', 'x'.repeat(20), 'next'],
  ['an empty row before one that had wrapped', `${'x'.repeat(25)}\x1b[1;1H\x1b[2K\x1b[4;1H`, 'more'],
  ['plain text on a screen that ends in colour', '\x1b[?1049h\x1b[Hplain\x1b[5;1H\x1b[32mgreen', ' and more'],
  ['a plain shell', `${lines(30)}$ `, 'ls\r\n'],
])('goes on from a snapshot as if nothing had happened: %s', async (_, before, after) => {
  const { atOnce, later } = await reload(before, after)
  expect(atOnce[0]).toEqual(atOnce[1])
  expect(later[0]).toEqual(later[1])
})
