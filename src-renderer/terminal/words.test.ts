import { expect, test } from 'vitest'
import type { ProcessInfo } from '../../src-preload/contract/processes'
import { describe, shortPath, span } from './words'

const base: ProcessInfo = {
  id: 'p',
  sessionId: 's',
  callId: null,
  node: 'local',
  command: 'true',
  title: 'true',
  cwd: '/',
  pid: 7,
  tty: true,
  byUser: false,
  background: false,
  status: 'exited',
  exitCode: 0,
  signal: null,
  timedOut: false,
  secretInput: false,
  bytes: 0,
  startedAt: 0,
  endedAt: 1,
}
const said = (more: Partial<ProcessInfo>) => {
  const { tone, label } = describe({ ...base, ...more })
  return `${tone}: ${label}`
}

test('every way to end has its own words', () => {
  expect([
    said({}),
    said({ exitCode: 127 }),
    said({ exitCode: null, signal: 'SIGKILL' }),
    said({ exitCode: 143, timedOut: true }),
    said({ status: 'lost', exitCode: null }),
    said({ status: 'survived', exitCode: null, endedAt: null }),
    said({ status: 'running', exitCode: null, endedAt: null }),
    said({ status: 'running', exitCode: null, endedAt: null, secretInput: true }),
    said({ status: 'running', exitCode: null, endedAt: null, prompt: { text: 'Go on?', guess: false } }),
    said({ status: 'running', exitCode: null, endedAt: null, prompt: { text: 'Go on?', guess: true } }),
    said({ status: 'running', exitCode: null, endedAt: null, node: 'far', link: 'down' }),
  ]).toEqual([
    'good: exit 0',
    'failed: exit 127',
    'failed: SIGKILL',
    'failed: timed out',
    'quiet: ended with Deckhand',
    'running: survived the restart',
    'running: running',
    'waiting: needs your input',
    'waiting: needs your input',
    'waiting: may need your input',
    'quiet: connection lost',
  ])
})

test('spans are as short as they can be', () => {
  expect([0, 999, 59_999, 60_000, 3_599_000, 7_200_000, 90_000_000, -5].map(span)).toEqual([
    '0s',
    '0s',
    '59s',
    '1m',
    '59m',
    '2h',
    '1d',
    '0s',
  ])
})

test('home is a tilde, and only home', () => {
  expect(['/home/ada/src', '/root', '/Users/ada', '/homes/x', '/rooted'].map(shortPath)).toEqual([
    '~/src',
    '~',
    '~',
    '/homes/x',
    '/rooted',
  ])
})
