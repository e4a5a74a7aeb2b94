import { expect, test } from 'vitest'
import { mayReach } from './preview-rules'

const ports = new Set([5173, 8080])
const alone = { ports, typed: null }
const onTheWeb = { ports, typed: 'https://example.org' }
const otherPort = { ports, typed: 'http://localhost:9000' }

test.each([
  ['http://localhost:5173/a', alone, true],
  ['ws://127.0.0.1:8080/hot', alone, true],
  ['http://[::1]:5173/', alone, true],
  ['data:image/png;base64,AA', alone, true],
  ['http://localhost:9000/', alone, false],
  ['https://example.org/', alone, false],
  ['http://192.168.1.1:5173/', alone, false],
  ['file:///etc/passwd', alone, false],
  ['deckhand://app/', alone, false],
  ['javascript:alert(1)', alone, false],
  ['http://user:word@localhost:5173/', alone, false],
  ['nonsense', alone, false],
  ['https://example.org/page', onTheWeb, true],
  ['https://cdn.example.net/lib.js', onTheWeb, true],
  ['http://localhost:9000/', onTheWeb, false],
  ['http://127.0.0.1:9000/', onTheWeb, false],
  ['http://169.254.169.254/', onTheWeb, false],
  ['http://[fd00::1]/', onTheWeb, false],
  ['http://router/', onTheWeb, false],
  ['http://2130706433:9000/', onTheWeb, false],
  ['http://localhost:9000/x', otherPort, true],
  ['http://localhost:9001/', otherPort, false],
  ['https://example.org/', otherPort, false],
])('%s', (address, rules, reached) => {
  expect(mayReach(address, rules)).toBe(reached)
})
