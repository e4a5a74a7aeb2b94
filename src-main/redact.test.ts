import { expect, test } from 'vitest'
import { redact } from './redact'

test.each([
  ['Authorization: Bearer abcdefghijklmnop', 'Authorization: [hidden]'],
  ['authorization=Basic dXNlcjpwYXNz', 'authorization=[hidden]'],
  ['sent bearer abc123', 'sent bearer [hidden]'],
  ['sent Basic dXNlcjpwYXNz', 'sent Basic [hidden]'],
  ["{'x-api-key': 'tell-nobody'}", "{'x-api-key': '[hidden]"],
  ['OPENAI_API_KEY=verysecretvalue', 'OPENAI_API_KEY=[hidden]'],
  ['client_secret: abcd', 'client_secret: [hidden]'],
  ['password=hunter2; next', 'password=[hidden]; next'],
  ['Incorrect API key provided: sk-other***************cdef.', 'Incorrect API key provided: [hidden]'],
  ['nvapi-0123456789 pplx-0123456789 xai-0123456789 r8_0123456789', '[hidden] [hidden] [hidden] [hidden]'],
  ['ghs_0123456789abcdef xoxb-0123456789-abc', '[hidden] [hidden]'],
  ['AIzaSyA0123456789abcdefghij', '[hidden]'],
  ['https://me:pass@host/', 'https://[hidden]@host/'],
])('hides what looks like a secret: %s', (text, clean) => {
  expect(redact(text)).toBe(clean)
})

test('hides the secrets that it is given, unless they are too short to be one', () => {
  expect(redact('my-own-key and abc', ['my-own-key', 'abc', ''])).toBe('[hidden] and abc')
})

test.each([
  'the task-list of a secretary: risk-assessment-for-all-of-us, 12 tokens, basic',
  'Visual Basic programming, with basic authentication.',
])('leaves ordinary words alone: %s', (text) => {
  expect(redact(text)).toBe(text)
})

test('JSON stays JSON, also inside JSON', () => {
  const value = { password: 1234, secret: { inner: [1] }, api_key: null, authorization: 'Bearer abcdefgh', last: true }
  const clean = { ...value, password: '[hidden]', authorization: '[hidden]' }
  expect(JSON.parse(redact(JSON.stringify(value)))).toEqual(clean)
  expect(JSON.parse(redact(JSON.stringify(value, null, 2)))).toEqual(clean)
  const nested = redact(JSON.stringify({ text: JSON.stringify({ password: 'hunter2', last: 1 }) }))
  expect(JSON.parse(JSON.parse(nested).text)).toEqual({ password: '[hidden]', last: 1 })
})
