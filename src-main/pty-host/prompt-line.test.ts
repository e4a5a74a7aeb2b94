import { expect, test } from 'vitest'
import { createLastLine, kindOfLine } from './prompt-line'

const lineOf = (...chunks: string[]) => {
  const line = createLastLine()
  for (const chunk of chunks) line.add(Buffer.from(chunk))
  return line.text()
}

test('lines that ask, as programs write them', () => {
  const questions = [
    'Do you want to continue? [Y/n]',
    'Proceed (Y/n)?',
    'Are you sure you want to continue connecting (yes/no/[fingerprint])?',
    "rm: remove regular file 'x'?",
    'Stage this hunk [y,n,q,a,d,e,p,?]?',
    'Ok to proceed? (y)',
    'Is this ok [y/d/N]:',
    'Fix<y>?',
    'Overwrite? (yes/no) >',
    'Press any key to continue . . .',
    'Press [ENTER] to continue',
    '--More--(12%)',
  ]
  const fields = [
    'Username for ‘https://example.org’:',
    'package name: (app)',
    'Enter a value:',
    'replace a.txt? [y]es, [n]o, [A]ll, [N]one, [r]ename:',
    'Downloading:',
  ]
  const neither = [
    'user@host:~$',
    'root@host:/#',
    '>>>',
    'sqlite>',
    '(gdb)',
    'Compiling…',
    '50%',
    ':',
    '?',
    '',
    'a (b)',
  ]
  expect(questions.filter((line) => kindOfLine(line) !== 'question')).toEqual([])
  expect(fields.filter((line) => kindOfLine(line) !== 'field')).toEqual([])
  expect(neither.filter((line) => kindOfLine(line) !== null)).toEqual([])
})

test('the last line as it stands on the screen', () => {
  expect([
    lineOf('one\ntwo', ' three? '),
    lineOf('one?\n'),
    lineOf('10%\r', '50%\rGo on? '),
    lineOf('\x1b[1m\x1b[32m?\x1b[0m Go on? \x1b[2m(y/N)\x1b[0m \x1b[22G'),
    lineOf('\x1b[H\x1b[2JGo on? '),
    lineOf('\x1b]0;a title\x07Name: '),
    lineOf('pass\u202e\u0007word: '),
    lineOf('é'.slice(0, 1), 'x'.repeat(5000), ' really? ').length,
  ]).toEqual(['two three?', '', 'Go on?', '? Go on? (y/N)', '', 'Name:', 'password:', 200])
})
