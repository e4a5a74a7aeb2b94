import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'

/**
 * To import one of the first touches all it exports, and behind one of those is the whole of `fetch`: longer than our own
 * code. The last reads shell commands, and a start runs none.
 */
const slow = ['node:http', 'node:https', 'undici', 'ws', 'unbash']

/** What the window waits for at a start. */
const waitedFor = ['index.ts', 'window.ts', 'ipc.ts', 'compose.ts', 'desktop-host.ts']

test('nothing that a start waits for imports what is slow to load', () => {
  const seen = new Set<string>()
  const found: string[] = []
  const visit = (file: string): void => {
    if (seen.has(file)) return
    seen.add(file)
    for (const wanted of importsOf(file)) {
      if (slow.includes(wanted)) found.push(`${file} imports ${wanted}; load it where it is used`)
      const path = join(dirname(file), wanted)
      const source = [`${path}.ts`, join(path, 'index.ts')].find((candidate) => existsSync(candidate))
      if (wanted.startsWith('.') && source) visit(source)
    }
  }
  for (const file of waitedFor) visit(join(import.meta.dirname, file))
  expect(seen.size).toBeGreaterThan(100)
  expect(found).toEqual([])
})

/** Of values, not of types, and not those that are made later by `import()`. */
const importsOf = (file: string): string[] =>
  [...readFileSync(file, 'utf8').matchAll(/^(?:import|export) (?!type )[^'"]*?from '([^']+)'|^import '([^']+)'/gm)].map(
    ([, named, bare]) => named ?? bare ?? '',
  )
