import { expect, test } from 'vitest'
import { placesInProse, placeTag } from './places-in-prose'

const text = (value: string) => ({ type: 'text', value })
const element = (tagName: string, ...children: object[]) => ({ type: 'element', tagName, properties: {}, children })
const marked = (...children: object[]): object[] => {
  const tree = { type: 'root', children: children as [] }
  placesInProse()(tree)
  return tree.children
}

test('a file with a line, or in a folder, is marked; other words are not', () => {
  expect(marked(element('p', text('The fault is in src/tide.js:12, and/or (tide.js:3). See docs/a.md.')))).toEqual([
    element(
      'p',
      text('The fault is in '),
      element(placeTag, text('src/tide.js:12')),
      text(', and/or ('),
      element(placeTag, text('tide.js:3')),
      text('). See '),
      element(placeTag, text('docs/a.md')),
      text('.'),
    ),
  ])
  const none = 'e.g. 1/2, 10:30, https://example.org/a.ts:3, and node:fs'
  expect(marked(element('p', text(none)))).toEqual([element('p', text(none))])
})

test('code and links are left as they are', () => {
  const kept = [
    element('code', text('src/a.ts:1')),
    element('a', text('src/a.ts:1')),
    { type: 'raw', value: 'a/b.ts:1' },
  ]
  expect(marked(...structuredClone(kept))).toEqual(kept)
})

test('a text of nothing but paths is bounded', () => {
  const lines = [...Array(500)].map((_, at) => element('p', text(`src/a${at}.ts:1`)))
  expect(JSON.stringify(marked(...lines)).split(placeTag).length).toBeLessThan(60)
})
