import { expect, test } from 'vitest'
import { diffRows } from './diff-rows'

const brief = (patch: string) => diffRows(patch).map((row) => [row.kind, row.before, row.after, row.text])

test('lines carry their numbers on both sides', () => {
  expect(brief('@@ -1,3 +1,3 @@\n one\n-two\n+zwei\n three\n')).toEqual([
    ['same', 1, 1, 'one'],
    ['remove', 2, null, 'two'],
    ['add', null, 2, 'zwei'],
    ['same', 3, 3, 'three'],
  ])
})

test('hunks further down are set apart', () => {
  expect(brief('@@ -10,1 +10,2 @@ function a()\n x\n+y\n@@ -40 +41 @@\n-z\n\\ No newline at end of file')).toEqual([
    ['gap', null, null, 'function a()'],
    ['same', 10, 10, 'x'],
    ['add', null, 11, 'y'],
    ['gap', null, null, ''],
    ['remove', 40, null, 'z'],
    ['note', null, null, 'No newline at end of file'],
  ])
})

test('lines that look like headers inside a hunk are content', () => {
  expect(brief('@@ -1,2 +1,2 @@\n--- a\n+++ b')).toEqual([
    ['remove', 1, null, '-- a'],
    ['add', null, 1, '++ b'],
  ])
})

test('an empty patch has no rows', () => expect(diffRows('')).toEqual([]))
