import { expect, it } from 'vitest'
import { draftErrors, draftFromConfig, emptyDraft, hidden, joinWords, splitWords, toConfig } from './server-draft'

it('reads words with quotes, and writes them back', () => {
  expect(splitWords(`npx -y "a b" 'c "d"' e"f"g ""`)).toEqual(['npx', '-y', 'a b', 'c "d"', 'efg', ''])
  expect(splitWords('"open')).toBeNull()
  for (const words of [['a', 'b c', 'd"e', "f'g", '', 'h\\i'], ['npx']])
    expect(splitWords(joinWords(words))).toEqual(words)
})

it('brings a configuration to the form and back, without stored values', () => {
  const config = {
    command: 'npx',
    args: ['-y', 'x y'],
    env: { A: 'b=c' },
    secretEnv: ['TOKEN'],
    cwd: '/tmp',
    enabled: false,
  }
  const draft = draftFromConfig('one', config)
  expect(draft.variables).toBe(`A=b=c\nTOKEN=${hidden}`)
  expect(toConfig(draft)).toEqual(config)
  const remote = { url: 'http://x.example/mcp', headers: { A: 'b' }, secretHeaders: ['Authorization'], enabled: true }
  expect(toConfig(draftFromConfig('two', remote))).toEqual(remote)
})

it('says what is missing', () => {
  expect(Object.keys(draftErrors(emptyDraft, []))).toEqual(['id', 'command'])
  expect(
    Object.keys(draftErrors({ ...emptyDraft, id: 'a__b', kind: 'url', url: 'ftp://x', headers: 'nonsense' }, [])),
  ).toEqual(['id', 'url', 'headers'])
  expect(draftErrors({ ...emptyDraft, id: 'a', command: 'npx' }, ['a'])).toEqual({
    id: 'A server named a already exists.',
  })
  expect(draftErrors({ ...emptyDraft, id: 'a', previousId: 'a', command: 'npx' }, ['a'])).toEqual({})
  expect(draftErrors({ ...emptyDraft, id: 'Local', command: 'npx' }, [])).toEqual({ id: 'This name is reserved.' })
})
