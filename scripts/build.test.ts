import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { fingerprint } from './build.mjs'

const folder = mkdtempSync(join(tmpdir(), 'deckhand-build-'))
afterAll(() => rmSync(folder, { recursive: true }))

test('the fingerprint changes with every source, but not with a test', () => {
  mkdirSync(join(folder, 'src-main/agent'), { recursive: true })
  const file = join(folder, 'src-main/agent/loop.ts')
  writeFileSync(file, 'one')
  utimesSync(file, 1, 1)
  const first = fingerprint(folder)
  expect(fingerprint(folder)).toBe(first)

  writeFileSync(join(folder, 'src-main/agent/loop.test.ts'), 'a test')
  expect(fingerprint(folder)).toBe(first)

  utimesSync(file, 2, 2)
  const edited = fingerprint(folder)
  expect(edited).not.toBe(first)

  writeFileSync(join(folder, 'src-main/extra.ts'), '')
  expect(fingerprint(folder)).not.toBe(edited)
  rmSync(join(folder, 'src-main/extra.ts'))
  expect(fingerprint(folder)).toBe(edited)
})
