import { describe, expect, it } from 'vitest'
import { agentIdFrom, agentOfKey, canonicalKey, cronSessionKey, mainSessionKey, peerSessionKey } from './session-keys'

describe('agentIdFrom', () => {
  it.each([
    ['Helper', 'helper'],
    ['  My Agent! ', 'my-agent'],
    ['a_b-c9', 'a_b-c9'],
    ['../../etc', 'etc'],
    ['', 'main'],
    ['日本', 'main'],
    ['x'.repeat(80), 'x'.repeat(64)],
  ])('%j is %j', (text, id) => expect(agentIdFrom(text)).toBe(id))
})

describe('canonicalKey', () => {
  it.each([
    ['main', 'agent:main:main'],
    ['agent:main:main', 'agent:main:main'],
    ['agent:Helper:main', 'agent:helper:main'],
    ['agent:helper:slack:group:C1', 'agent:helper:slack:group:C1'],
    ['s_123', null],
    ['agent:', null],
    ['', null],
  ])('%j is %j', (text, key) => expect(canonicalKey(text)).toBe(key))

  it('knows the alias also where the main key has another name', () => {
    expect(canonicalKey('main', { mainKey: 'home' })).toBe('agent:main:home')
    expect(canonicalKey('home', { mainKey: 'home' })).toBe('agent:main:home')
    expect(canonicalKey('agent:x:main', { mainKey: 'home' })).toBe('agent:x:home')
  })

  it('finds the agent again', () => {
    expect(agentOfKey('agent:helper:main')).toBe('helper')
    expect(agentOfKey('nonsense')).toBe('main')
  })
})

describe('peerSessionKey', () => {
  const dm = { channel: 'Telegram', accountId: 'work', kind: 'dm', id: '4711' } as const

  it.each([
    ['main', 'agent:main:main'],
    ['per-peer', 'agent:main:dm:4711'],
    ['per-channel-peer', 'agent:main:telegram:dm:4711'],
    ['per-account-channel-peer', 'agent:main:telegram:work:dm:4711'],
  ] as const)('a direct message under %s belongs to %s', (dmScope, key) => {
    expect(peerSessionKey('main', dm, { dmScope })).toBe(key)
  })

  it('gives a group its own, whatever the scope', () => {
    expect(peerSessionKey('helper', { channel: 'slack', kind: 'group', id: 'C:1' })).toBe(
      'agent:helper:slack:group:C_1',
    )
  })

  it('joins the addresses of one person', () => {
    const rules = { dmScope: 'per-peer', identityLinks: { anna: ['telegram:4711', '+49123'] } } as const
    expect(peerSessionKey('main', dm, rules)).toBe('agent:main:dm:anna')
    expect(peerSessionKey('main', { channel: 'signal', kind: 'dm', id: '+49123' }, rules)).toBe('agent:main:dm:anna')
    expect(peerSessionKey('main', { channel: 'signal', kind: 'dm', id: '4711' }, rules)).toBe('agent:main:dm:4711')
  })
})

it('names main and cron sessions', () => {
  expect([mainSessionKey('helper'), cronSessionKey('Helper', 'j1')]).toEqual([
    'agent:helper:main',
    'agent:helper:cron:j1',
  ])
})
