import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { nameText, systemPath } from './file-names'

test.each([
  [Buffer.from('café.txt'), 'café.txt'],
  [Buffer.from('caf\xe9.txt', 'latin1'), 'caf\\xe9.txt'],
  [Buffer.from('\xff\xfe', 'latin1'), '\\xff\\xfe'],
  [Buffer.concat([Buffer.from('ä'), Buffer.from([0xc3])]), 'ä\\xc3'],
  [Buffer.from([0xe2, 0x82, 0x41]), '\\xe2\\x82A'],
])('%s is written as %s and means itself', (bytes, text) => {
  expect(nameText(bytes)).toBe(text)
  expect(Buffer.from(systemPath(`/nowhere/${text}`) as string)).toEqual(
    Buffer.concat([Buffer.from('/nowhere/'), bytes]),
  )
})

test('only bytes that are no text are meant, and a name with a backslash is what it says', () => {
  for (const path of ['/a/\\x2eenv', '/a/\\xc3\\xa9', '/a/\\xE9', '/a/plain']) expect(systemPath(path)).toBe(path)
  const folder = mkdtempSync(join(tmpdir(), 'deckhand-names-'))
  writeFileSync(join(folder, 'a\\xe9'), '')
  expect(systemPath(join(folder, 'a\\xe9'))).toBe(join(folder, 'a\\xe9'))
  expect(systemPath(join(folder, 'b\\xe9'))).toBeInstanceOf(Buffer)
  rmSync(folder, { recursive: true })
})
