import { expect, test } from 'vitest'
import type { ChannelInfo } from '../../src-preload/contract/channels'
import { draftErrors, draftFromChannel, emptyDraft, freshKey, toSave } from './channel-draft'

const stored: ChannelInfo = {
  channel: 'telegram',
  accountId: 'default',
  kind: 'telegram',
  enabled: true,
  secrets: { token: true, url: false, signingKey: false },
  baseUrl: null,
  defaultTo: '42',
  inbound: true,
  agentId: 'main',
  policy: 'allowlist',
  allowFrom: ['1', '2'],
  inboundUrl: null,
  state: 'ready',
  problem: null,
  lastSentAt: null,
  lastReceivedAt: null,
}

test('a new channel gets a name that is free', () => {
  expect([emptyDraft('slack', []).channel, emptyDraft('slack', ['slack', 'slack-2']).channel]).toEqual([
    'slack',
    'slack-3',
  ])
})

test('a secret that was not touched is left out, a forgotten one is empty', () => {
  const draft = draftFromChannel(stored, 'telegram')
  expect(toSave({ ...draft, allowFrom: '1\n 2, 2\n' })).toEqual({
    channel: 'telegram',
    accountId: 'default',
    kind: 'telegram',
    baseUrl: '',
    defaultTo: '42',
    inbound: true,
    agentId: 'main',
    policy: 'allowlist',
    allowFrom: ['1', '2'],
  })
  expect(toSave({ ...draft, token: ' 1:a ' }).token).toBe('1:a')
  expect(toSave({ ...draft, forget: { ...draft.forget, token: true } }).token).toBe('')
})

test('what cannot take messages in does not, whatever the field says', () => {
  expect(toSave({ ...emptyDraft('slack', []), inbound: true }).inbound).toBe(false)
})

test('the needed secret is asked for unless it is stored', () => {
  expect(draftErrors(emptyDraft('telegram', []), undefined, []).token).toBeDefined()
  expect(draftErrors(draftFromChannel(stored, 'telegram'), stored, ['telegram'])).toEqual({})
})

test('a webhook that takes messages in needs a key and no address', () => {
  const draft = { ...emptyDraft('webhook', []), inbound: true }
  expect(Object.keys(draftErrors(draft, undefined, []))).toEqual(['signingKey'])
  expect(draftErrors({ ...draft, signingKey: freshKey() }, undefined, [])).toEqual({})
})

test('names and addresses are looked at', () => {
  const draft = { ...emptyDraft('slack', []), channel: 'My Slack', url: 'hooks', baseUrl: 'ftp://x' }
  expect(Object.keys(draftErrors(draft, undefined, []))).toEqual(['channel', 'url', 'baseUrl'])
  expect(draftErrors({ ...draft, channel: 'a' }, undefined, ['a']).channel).toMatch(/already/)
})

test('a signing key has at least 16 characters, unless the stored one stays', () => {
  const draft = { ...emptyDraft('webhook', []), url: 'https://hooks.example/x' }
  const error = (signingKey: string) => draftErrors({ ...draft, signingKey }, undefined, []).signingKey
  expect(error('')).toMatch(/Without it neither/)
  expect(error(` ${'k'.repeat(15)} `)).toMatch(/at least 16/)
  expect(error('k'.repeat(16))).toBeUndefined()
  const kept: ChannelInfo = { ...stored, kind: 'webhook', secrets: { token: false, url: true, signingKey: true } }
  const change = draftFromChannel(kept, 'webhook')
  expect(draftErrors(change, kept, ['telegram'])).toEqual({})
  expect(draftErrors({ ...change, signingKey: 'short' }, kept, ['telegram']).signingKey).toMatch(/at least 16/)
  expect(
    draftErrors({ ...change, forget: { ...change.forget, signingKey: true } }, kept, ['telegram']).signingKey,
  ).toMatch(/Without it neither/)
})

test('a key that is made here is long, plain and never the same', () => {
  const [one, other] = [freshKey(), freshKey()]
  expect(one).toMatch(/^[0-9a-f]{64}$/)
  expect(one).not.toBe(other)
})
