import { expect, test } from 'vitest'
import { bareCage } from './cage'
import { seatbeltArgv, seatbeltProfile } from './seatbelt'

const cage = {
  ...bareCage('/Users/ada/boat'),
  tmp: '/private/tmp/deckhand',
  hidden: [{ path: '/Users/ada/.ssh', folder: true }],
  frozen: ['/Users/ada/boat/.git/config'],
}

/** Never run on a Mac: what is looked at here is only what the profile says. */
test('only the workspace and temporary files can be written, secrets not even read, and there is no network', () => {
  const lines = seatbeltProfile(cage).split('\n')
  const at = (line: string): number => lines.indexOf(line)
  const order = [
    '(deny file-write*)',
    '(allow file-write* (subpath "/Users/ada/boat") (subpath "/private/tmp/deckhand"))',
    '(deny file-write* (subpath "/Users/ada/boat/.git/config"))',
    '(deny file-read* file-write* (subpath "/Users/ada/.ssh"))',
  ].map(at)
  expect(order).toEqual([...order].sort((a, b) => a - b))
  expect(order).not.toContain(-1)
  expect(lines).toContain('(deny network*)')
})

test('a path cannot end the text that it stands in', () => {
  expect(seatbeltProfile({ ...cage, workspace: '/a") (allow network*) ("' })).toContain(
    '(subpath "/a\\") (allow network*) (\\"")',
  )
})

test('the command follows the profile', () => {
  const [program, flag, , ...rest] = seatbeltArgv(cage, ['/bin/sh', '-c', 'ls'])
  expect([program, flag, rest]).toEqual([
    '/usr/bin/sandbox-exec',
    '-p',
    ['/usr/bin/env', 'TMPDIR=/private/tmp/deckhand', '/bin/sh', '-c', 'ls'],
  ])
})
