import { describe, expect, test } from 'vitest'
import type { NodeInfo, Transfer } from '../../src-preload/contract/nodes'
import { logRow, nodeNameError, shownTransfers, sortedNodes, stateWords, toneOf, transferWords } from './node-words'

const node = (id: string, change: Partial<NodeInfo> = {}): NodeInfo => ({
  id,
  local: false,
  state: 'connected',
  role: 'execution',
  primary: false,
  os: 'linux',
  hostname: id,
  version: '1',
  workspace: '/w',
  tools: [],
  capabilities: [],
  newCapabilities: [],
  envKeys: [],
  bins: {},
  binsCheckedAt: null,
  latencyMs: null,
  address: null,
  processes: 0,
  addedAt: 0,
  connectedAt: 0,
  lastSeenAt: 0,
  problem: null,
  ...change,
})

const transfer = (id: string, change: Partial<Transfer> = {}): Transfer => ({
  id,
  source: 'a:/x',
  destination: 'b:/x',
  state: 'running',
  bytes: 0,
  size: null,
  mime: null,
  bytesPerSecond: 0,
  startedAt: 0,
  endedAt: null,
  error: null,
  sessionId: null,
  callId: null,
  ...change,
})

test('says how a node is doing', () => {
  const hour = 3_600_000
  const states = [
    node('a', { latencyMs: 11.6 }),
    node('a', { latencyMs: 0.4 }),
    node('a', { state: 'disconnected', lastSeenAt: 0 }),
    node('a', { state: 'disconnected', lastSeenAt: null }),
    node('a', { state: 'expected' }),
  ]
  expect(states.map((entry) => `${toneOf(entry)}: ${stateWords(entry, 2 * hour)}`)).toEqual([
    'good: online, 12 ms',
    'good: online, under 1 ms',
    'idle: offline, last seen 2 h ago',
    'idle: offline',
    'wait: waiting for its first connection',
  ])
})

test('this machine comes first, what is offline last', () => {
  const nodes = [node('z'), node('b', { state: 'disconnected' }), node('m', { local: true }), node('a')]
  expect(sortedNodes(nodes).map(({ id }) => id)).toEqual(['m', 'a', 'z', 'b'])
})

test('a name must be one that tools can be prefixed with', () => {
  const names = ['', 'a b', 'a__b', 'gsv', 'local', 'Local', 'laptop', '-a', 'x'.repeat(49), 'build-1.lan']
  expect(names.filter((name) => nodeNameError(name, ['laptop']) === undefined)).toEqual(['build-1.lan'])
})

describe('log lines', () => {
  test('are read as time, level and words', () => {
    expect(
      logRow('{"time":"2026-11-16T05:23:11.120Z","level":"warn","message":"Lost it","reason":"closed","code":1006}'),
    ).toEqual({ time: '05:23:11', level: 'warn', text: 'Lost it  reason=closed code=1006' })
  })
  test('stay as they are when they are something else', () => {
    expect(logRow('panic: {').text).toBe('panic: {')
    expect(logRow('{"n":1}').text).toBe('{"n":1}')
  })
})

describe('transfers', () => {
  test('tell how far they are and what is left', () => {
    const words = [
      transfer('a', { state: 'starting' }),
      transfer('a', { bytes: 20_000_000, size: 500_000_000, bytesPerSecond: 48_000_000 }),
      transfer('a', { bytes: 1000 }),
      transfer('a', { state: 'done', bytes: 500_000_000, endedAt: 90_000 }),
      transfer('a', { state: 'failed', error: 'The disk is full.' }),
    ]
    expect(words.map(transferWords)).toEqual([
      'Starting…',
      '20 MB of 500 MB, 48 MB/s, 10 s left',
      '1.0 kB',
      '500 MB in 1 min 30 s',
      'The disk is full.',
    ])
  })
  test('that run are all shown, of those that ended the last five', () => {
    const ended = Array.from({ length: 8 }, (_, at) => transfer(`e${at}`, { state: 'done', startedAt: at }))
    const shown = shownTransfers([transfer('r', { startedAt: 3 }), ...ended])
    expect(shown.map(({ id }) => id)).toEqual(['r', 'e7', 'e6', 'e5', 'e4', 'e3'])
  })
})
