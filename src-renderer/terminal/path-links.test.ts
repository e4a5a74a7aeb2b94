import { expect, test } from 'vitest'
import { placesIn } from './path-links'

test('the places of a line are found, without what stands around them', () => {
  const line = '  at run (src/app.ts:12:5), see "docs/a.md" and ./b.sh; 3.5 s'
  expect(placesIn(line).map(({ place, from, to }) => [place, line.slice(from, to)])).toEqual([
    [{ path: 'src/app.ts', line: 12, column: 5 }, 'src/app.ts:12:5'],
    [{ path: 'docs/a.md' }, 'docs/a.md'],
    [{ path: './b.sh' }, './b.sh'],
  ])
  expect(placesIn('error TS2345 in 3 files, https://example.org/a.ts')).toEqual([])
})
