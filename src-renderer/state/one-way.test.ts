import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '..')
const files = globSync('**/*.{ts,tsx}', { cwd: root }).filter((file) => !file.includes('.test.'))
const using = (pattern: RegExp) => files.filter((file) => pattern.test(readFileSync(join(root, file), 'utf8'))).sort()

test('what main has told is written by main’s events alone', () => {
  // `connect` applies announced events, `load` the answers of calls that read.
  expect(using(/\bapplyEvents\b/)).toEqual(['state/connect.ts', 'state/load.ts', 'state/store.ts'])
  expect(using(/\b(?:reduce|greet|trimState)\b.*from '.*\/(?:main-state|trim-state)'/)).toEqual(['state/store.ts'])
  expect(using(/useDeckhand\.setState/)).toEqual([])
})

test('no event is made up in the window', () => {
  const connecting = readFileSync(join(root, 'state/connect.ts'), 'utf8')
  expect([...connecting.matchAll(/applyEvents\(([^)]*)\)/g)].map(([, given]) => given)).toEqual(['events'])
})
