import { expect, test } from 'vitest'
import { fewFiles } from './chunks'

/** Modules by name, with what each imports at once and, after a bar, later. */
const graphOf = (imports: Record<string, string>) => ({
  getModuleInfo: (id: string) => {
    const [atOnce = '', later = ''] = (imports[id] ?? '').split('|')
    const words = (text: string) => text.split(' ').filter(Boolean)
    return { importedIds: words(atOnce), dynamicallyImportedIds: words(later) }
  },
})

const graph = graphOf({
  window: 'scheme | engine',
  engine: 'turns store scheme frames words',
  turns: 'words',
  cli: 'names | run recover',
  run: 'engine names',
  recover: 'store',
  store: 'words',
  host: 'frames',
  frames: 'words',
})

const nameOf = fewFiles({
  whole: 'engine',
  entries: { window: 'window', cli: 'cli', host: 'host' },
  commands: 'cli',
})

test.each([
  ['engine', 'engine'],
  ['turns', 'engine'],
  ['store', 'commands'],
  ['scheme', 'window'],
  ['frames', 'host'],
  ['words', 'host'],
])('%s is in the file %s', (id, name) => expect(nameOf(id, graph)).toBe(name))

test.each(['run', 'recover', 'names', 'cli'])('%s, which the engine does not need, is left to the bundler', (id) =>
  expect(nameOf(id, graph)).toBeNull(),
)

test('what two entries load at once is in a file for both', () => {
  const name = fewFiles({ whole: 'a', entries: { a: 'a', b: 'b' } })
  const pages = graphOf({ a: 'shared own', b: 'shared', shared: 'a' })
  expect(['a', 'own', 'shared'].map((id) => name(id, pages))).toEqual(['a+b', 'a+b', 'a+b'])
  const apart = graphOf({ a: 'shared own', b: 'shared' })
  const again = fewFiles({ whole: 'a', entries: { a: 'a', b: 'b' } })
  expect(['a', 'own', 'shared'].map((id) => again(id, apart))).toEqual(['a', 'a', 'a+b'])
})
