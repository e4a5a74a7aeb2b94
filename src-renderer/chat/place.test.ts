import { expect, test } from 'vitest'
import { placesIn, readPlace } from './place'

test.each([
  ['src/app.ts', { path: 'src/app.ts' }],
  ['src/app.ts:12', { path: 'src/app.ts', line: 12 }],
  ['./a-b/c_d.test.tsx:12:5', { path: './a-b/c_d.test.tsx', line: 12, column: 5 }],
  ['app.ts#L7', { path: 'app.ts', line: 7 }],
  ['app.ts(12,5)', { path: 'app.ts', line: 12, column: 5 }],
  ['app.ts:3:', { path: 'app.ts', line: 3 }],
  ['~/notes.md', { path: '~/notes.md' }],
  ['/etc/hosts', { path: '/etc/hosts' }],
  ['src/', { path: 'src/' }],
  ['app/[id]/page.tsx', { path: 'app/[id]/page.tsx' }],
  ['naïve/ordner.md', { path: 'naïve/ordner.md' }],
])('%s is a place', (text, place) => {
  expect(readPlace(text)).toEqual(place)
})

test.each([
  'npm test',
  'foo',
  '--flag=a/b',
  'https://example.org/a.ts',
  '1.2.3',
  'a && b/c',
  '',
  `${'a'.repeat(400)}/b.ts`,
])('%j is none', (text) => {
  expect(readPlace(text)).toBeNull()
})

test('the places of a line are found, without what stands around them', () => {
  const line = '  at run (src/app.ts:12:5), see "docs/a.md" and ./b.sh; 3.5 s'
  expect(placesIn(line).map(({ place, from, to }) => [place, line.slice(from, to)])).toEqual([
    [{ path: 'src/app.ts', line: 12, column: 5 }, 'src/app.ts:12:5'],
    [{ path: 'docs/a.md' }, 'docs/a.md'],
    [{ path: './b.sh' }, './b.sh'],
  ])
  expect(placesIn('error TS2345 in 3 files, https://example.org/a.ts')).toEqual([])
})
