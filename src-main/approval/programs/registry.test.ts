import { expect, test } from 'vitest'
import { FAMILIES, factsOf } from './registry'

test('every program stands in one record', () => {
  const names = FAMILIES.flatMap((family) => Object.keys(family)).flatMap((key) => key.split(/\s+/))
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([])
})

test('a name in full comes before a pattern', () => {
  expect(factsOf('python3')?.versionWords).toEqual(['--version', '-V'])
  expect(factsOf('python3.12')).toEqual(factsOf('python2'))
  expect(factsOf('python3.12')?.versionWords).toBeUndefined()
})

test.each(['constructor', '__proto__', 'toString', ''])('nothing is known of %j', (name) => {
  expect(factsOf(name)).toBeUndefined()
})
