import { expect, test } from 'vitest'
import { unreadLine } from './typed-line'

test.each([
  ['', 'rm -rf ', 'rm -rf '],
  ['rm -rf ', '~', 'rm -rf ~'],
  ['rm -rf ', '~\r', ''],
  ['ls', '\rrm ', 'rm '],
  ['rm -rf ', '\x03', ''],
  ['rm -rf ', '\x03ls', 'ls'],
  ['', 'rm -rf \\\r', 'rm -rf \\\n'],
  ['rm -rf \\\n', '~', 'rm -rf \\\n~'],
  ['', "rm -rf '\r", "rm -rf '\n"],
  ['', 'find . |\r', 'find . |\n'],
  ['find . |\n', 'xargs rm\r', ''],
  ['', "echo 'it is over'\r", ''],
])('%j and then %j leaves %j', (before, data, left) => expect(unreadLine(before, data)).toBe(left))
