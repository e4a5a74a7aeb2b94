import { expect, test } from 'vitest'
import type { Provider } from '../../src-preload/contract/models'
import { draftErrors, draftWarning, emptyDraft, toSave, toTest } from './provider-draft'

const draft = { ...emptyDraft, name: ' Mine ', baseUrl: ' https://models.example/v1 ' }
const stored: Provider = {
  id: 'mine',
  name: 'Mine',
  kind: 'openai',
  baseUrl: 'https://models.example/v1',
  hasKey: true,
  detected: false,
  models: [],
}

test('each field that is wrong says so', () => {
  expect(draftErrors(draft)).toEqual({})
  expect(Object.keys(draftErrors({ ...emptyDraft, key: 'two words' }))).toEqual(['name', 'baseUrl', 'key'])
  const addresses = ['models', 'ftp://x.example', 'https://me:secret@x.example', 'https://x.example']
  expect(addresses.map((baseUrl) => draftErrors({ ...draft, baseUrl }).baseUrl !== undefined)).toEqual([
    true,
    true,
    true,
    false,
  ])
})

test('a key that is kept is left out, one that is forgotten is empty', () => {
  const saved = { name: 'Mine', kind: 'openai', baseUrl: 'https://models.example/v1', keySource: null }
  expect(toSave(draft)).toEqual(saved)
  expect(toSave({ ...draft, key: ' abc ' })).toEqual({ ...saved, key: 'abc' })
  expect(toSave({ ...draft, id: 'mine', key: 'abc', forgetKey: true })).toEqual({ ...saved, id: 'mine', key: '' })
  expect(toTest(draft)).toEqual({ kind: 'openai', baseUrl: 'https://models.example/v1', keySource: null })
})

test('a key that is read from elsewhere takes the place of a stored one', () => {
  const named = { ...draft, key: 'typed before', keyFrom: 'environment' as const, variable: ' MY_KEY ' }
  expect(toSave(named)).toEqual({
    name: 'Mine',
    kind: 'openai',
    baseUrl: 'https://models.example/v1',
    keySource: { kind: 'environment', name: 'MY_KEY' },
  })
  expect(draftErrors({ ...named, variable: '$MY_KEY' })).toHaveProperty('variable')
  expect(draftErrors({ ...draft, keyFrom: 'command' })).toHaveProperty('command')
  expect(toSave({ ...draft, keyFrom: 'command', command: 'pass show x' }).keySource).toEqual({
    kind: 'command',
    command: 'pass show x',
  })
})

test('warns before a key travels in the clear or to another host', () => {
  expect(draftWarning({ ...draft, baseUrl: 'http://far.example/v1', key: 'abc' }, undefined)).toMatch(/https/)
  expect(draftWarning({ ...draft, baseUrl: 'http://127.0.0.1:8080/v1', key: 'abc' }, undefined)).toBe('')
  expect(draftWarning({ ...draft, baseUrl: 'https://other.example/v1' }, stored)).toMatch(/old URL/)
  expect(draftWarning(draft, stored)).toBe('')
})
