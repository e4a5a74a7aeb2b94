import { expect, test } from 'vitest'
import { readPlace } from './place'

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
