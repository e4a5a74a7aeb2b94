import { expect, test } from 'vitest'
import { marked, placeWords } from './origin-words'

test('a place is called what the user would call it', () => {
  const words = ['x']
  const line = ''
  expect(placeWords({ words, line, place: { kind: 'file', path: 'README.md', line: 3 } })).toBe('README.md, line 3')
  expect(placeWords({ words, line, place: { kind: 'file', path: 'README.md' } })).toBe('README.md')
  expect(placeWords({ words, line, place: { kind: 'attachment', path: 'a.txt', line: 1 } })).toBe(
    'your attachment a.txt, line 1',
  )
  expect(placeWords({ words, line, place: { kind: 'output', command: 'cat x' } })).toBe('the output of cat x')
  expect(placeWords({ words, line, place: { kind: 'tool', name: 'WebFetch', gist: 'https://a.example' } })).toBe(
    'WebFetch https://a.example',
  )
  expect(placeWords({ words, line, place: { kind: 'tool', name: 'issues__get', gist: '' } })).toBe('issues__get')
})

test('the word is marked in its line, also where the line has only its host', () => {
  expect(marked('run curl https://a.example/x now', ['https://a.example/x'])).toEqual([
    'run curl ',
    'https://a.example/x',
    ' now',
  ])
  expect(marked('send it to A.example please', ['https://a.example/x?y'])).toEqual([
    'send it to ',
    'A.example',
    ' please',
  ])
  expect(marked('nothing here', ['left-pad'])).toEqual(['nothing here'])
})
