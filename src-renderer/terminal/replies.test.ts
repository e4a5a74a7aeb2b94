import { Terminal } from '@xterm/headless'
import { expect, test } from 'vitest'
import { isFocusReport, silenceReplies } from './replies'

/** Every query that xterm.js 6 would answer, including window reports. */
const questions = [
  '\x1b[c',
  '\x1b[0c',
  '\x1b[>c',
  '\x1b[5n',
  '\x1b[6n',
  '\x1b[?6n',
  '\x1b[4$p',
  '\x1b[?25$p',
  '\x1b[?2026$p',
  '\x1b[18t',
  '\x1b[>q',
  '\x1bP$qm\x1b\\',
  '\x1bP$q"p\x1b\\',
  '\x1bP+q544e\x1b\\',
  '\x1b]4;1;?\x07',
  '\x1b]10;?\x07',
  '\x1b]11;?\x1b\\',
]

const repliesTo = async (data: string, silenced: boolean) => {
  const terminal = new Terminal({ allowProposedApi: true, windowOptions: { getWinSizeChars: true } })
  if (silenced) silenceReplies(terminal.parser)
  const replies: string[] = []
  terminal.onData((reply) => replies.push(reply))
  await new Promise<void>((resolve) => terminal.write(data, resolve))
  terminal.dispose()
  return replies
}

test('a bare terminal answers, so that the next test can fail', async () => {
  expect(await repliesTo('\x1b[c\x1b[6n\x1b[?25$p', false)).toHaveLength(3)
})

test('no question gets an answer from a pane', async () => {
  expect(await repliesTo(questions.join(''), true)).toEqual([])
})

test('colours are still set by a program', async () => {
  const terminal = new Terminal({ allowProposedApi: true })
  silenceReplies(terminal.parser)
  await new Promise<void>((resolve) => terminal.write('\x1b[31mred\x1b[0m\x1b[2;3Hx', resolve))
  expect(terminal.buffer.active.getLine(0)?.getCell(0)?.getFgColor()).toBe(1)
  expect(terminal.buffer.active.getLine(1)?.translateToString(true)).toBe('  x')
  terminal.dispose()
})

test('focus reports are told apart from keys', () => {
  expect(['\x1b[I', '\x1b[O', '\x1b[A', '\x1bOA', '\x1b', 'I'].map(isFocusReport)).toEqual([
    true,
    true,
    false,
    false,
    false,
    false,
  ])
})
