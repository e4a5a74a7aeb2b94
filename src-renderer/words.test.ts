import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'

/** Phrases that are not natural English and must not come back in the window. */
const forbidden = [
  'What shall we do',
  'Start something that stays',
  '(new file)',
  'repeats something',
  'It holds',
  'have settled',
  'things you were asked',
  'possible</', // "to make Allow possible"
  'it went well',
  'rights of the administrator',
  'Nothing asks',
  'Ask again',
  'Let it go on',
  'Go on?',
  'limit of steps',
  'Answer again',
  'Speaks',
  'As the system',
  'as the system',
  'Vocabulary of',
  'Size of the text',
  'first that is found',
  'End it',
  'Fill the deck',
  'wants a key',
  'strangers’ words',
  "strangers' words",
  'allowed or refused for more than once',
  'of the context is full',
  'Do what?',
  'Which session?',
  'Waits for your word',
  'waits for your word',
  'Keep it',
  'Look at it',
  'nobody can tell',
  'Nobody can tell',
  'giving up in',
]

const root = join(import.meta.dirname, '..')
const places = ['src-renderer', 'src-main/cli', 'src-main/approval', 'src-main/agent', 'src-main/session']

const sources = places.flatMap((place) =>
  readdirSync(join(root, place), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name) && !/\.test\.tsx?$/.test(name))
    .map((name) => join(place, name)),
)

const documents = [
  'README.md',
  ...readdirSync(join(root, 'docs')).flatMap((name) => (name.endsWith('.md') ? `docs/${name}` : [])),
]

/** The text of a file without its comments, which only developers read. */
const withoutComments = (text: string) => text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/^\s*\/\/.*$/gm, '')

test('no phrase that makes people stumble is in the window or on the command line', () => {
  const found = sources.flatMap((file) => {
    const text = withoutComments(readFileSync(join(root, file), 'utf8')).replace(/\s+/g, ' ')
    return forbidden.filter((phrase) => text.includes(phrase)).map((phrase) => `${file}: ${phrase}`)
  })
  expect(found).toEqual([])
})

test('nor in the README and the other documents', () => {
  const found = documents.flatMap((file) => {
    const text = readFileSync(join(root, file), 'utf8').replace(/\s+/g, ' ')
    return forbidden.filter((phrase) => text.includes(phrase)).map((phrase) => `${file}: ${phrase}`)
  })
  expect(found).toEqual([])
})

test('links between the documents lead somewhere', () => {
  const broken = documents.flatMap((file) =>
    [...readFileSync(join(root, file), 'utf8').matchAll(/(?:\]\(|src(?:set)?=")([^)"#]+)[^)"]*[)"]/g)]
      .map(([, target = '']) => target)
      .filter((target) => !/^https?:/.test(target) && !existsSync(join(root, dirname(file), target)))
      .map((target) => `${file}: ${target}`),
  )
  expect(broken).toEqual([])
})
