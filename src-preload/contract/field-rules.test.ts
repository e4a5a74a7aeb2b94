import { expect, test } from 'vitest'
import { numberBy, webAddress } from './call'
import { channelCalls } from './channel-calls'
import {
  channelNameRule,
  isWebAddress,
  nodeNameRule,
  portRule,
  problemWith,
  runMinutesRule,
  serverIdRule,
  type TextRule,
} from './field-rules'
import { mcpServerId } from './mcp-calls'
import { nodeId } from './node-calls'

const names = ['', 'a', 'A', 'a-b', 'a_b', 'a__b', 'a--b', '-a', 'a-', 'a:b', 'a b', 'x'.repeat(32), 'x'.repeat(33)]
const channelName = channelCalls['channel.save'].input.shape.channel

test.each(names)('forms and calls agree on the name "%s"', (name) => {
  const fits = (rule: TextRule) => problemWith(name, rule) === undefined
  expect(fits(channelNameRule)).toBe(channelName.safeParse(name).success)
  expect(fits(serverIdRule)).toBe(mcpServerId.safeParse(name).success)
  expect(fits(nodeNameRule)).toBe(nodeId.safeParse(name).success)
})

test.each([
  ['https://example.com/path?x=1', true],
  ['http://127.0.0.1:8080', true],
  ['http://[::1]/', true],
  [`https://example.com/${'x'.repeat(1980)}`, true],
  [`https://example.com/${'x'.repeat(1981)}`, false],
  ['ftp://example.com', false],
  ['javascript:alert(1)', false],
  ['example.com', false],
  ['', false],
])('forms and calls agree on the address %s', (address, good) => {
  expect(isWebAddress(address)).toBe(good)
  expect(webAddress.safeParse(address).success).toBe(good)
})

test.each(['0', '1', '1.5', '65535', '65536', '-1', 'x', ''])('forms and calls agree on the number "%s"', (text) => {
  for (const rule of [portRule, runMinutesRule])
    expect(problemWith(text, rule) === undefined).toBe(
      numberBy(rule).safeParse(text === '' ? undefined : Number(text)).success,
    )
})
