import { expect, test } from 'vitest'
import type { ChannelInfo } from '../../src-preload/contract/channels'
import { draftErrors, draftFromChannel, emptyDraft, toSave } from './channel-draft'

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
  expect(draftErrors({ ...draft, signingKey: 'long' }, undefined, [])).toEqual({})
})

test('names and addresses are looked at', () => {
  const draft = { ...emptyDraft('slack', []), channel: 'My Slack', url: 'hooks', baseUrl: 'ftp://x' }
  expect(Object.keys(draftErrors(draft, undefined, []))).toEqual(['channel', 'url', 'baseUrl'])
  expect(draftErrors({ ...draft, channel: 'a' }, undefined, ['a']).channel).toMatch(/already/)
})
