import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'

const root = dirname(import.meta.dirname)
const text = readFileSync(join(root, 'docs/ARCHITECTURE.md'), 'utf8')

test('every path that the architecture names is there', () => {
  const paths = [...text.matchAll(/`((?:src-[a-z]+|e2e|bench)\/[\w./-]*)`/g)].map(([, path = '']) => path)
  expect(paths.length).toBeGreaterThan(40)
  expect(paths.filter((path) => !existsSync(join(root, path)))).toEqual([])
})
