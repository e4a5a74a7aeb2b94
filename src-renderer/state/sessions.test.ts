import { expect, test } from 'vitest'
import type { Message } from '../../src-preload/contract/messages'
import type { Provider } from '../../src-preload/contract/models'
import type { ProcessInfo } from '../../src-preload/contract/processes'
import type { Session } from '../../src-preload/contract/sessions'
import type { Settings } from '../../src-preload/contract/settings'
import { groupByDay, isUntouched, sortedSessions } from './sessions'

const at = (id: string, time: Date) => ({ id, updatedAt: time.getTime() }) as Session
const now = new Date(2026, 10, 16, 0, 30).getTime()

test('sessions stand under the day of their last use, newest first', () => {
  const sessions = [
    at('month', new Date(2026, 9, 25)),
    at('tonight', new Date(2026, 10, 16, 0, 10)),
    at('late yesterday', new Date(2026, 10, 15, 23, 50)),
    at('early yesterday', new Date(2026, 10, 15, 0, 5)),
    at('week', new Date(2026, 10, 10)),
    at('old', new Date(2025, 1, 3)),
  ]
  const sorted = sortedSessions(Object.fromEntries(sessions.map((session) => [session.id, session])))
  const groups = groupByDay(sorted, now).map((group) => [group.label, group.sessions.map((session) => session.id)])
  expect(groups).toEqual([
    ['Today', ['tonight']],
    ['Yesterday', ['late yesterday', 'early yesterday']],
    ['Last 7 days', ['week']],
    ['Last 30 days', ['month']],
    ['February 2025', ['old']],
  ])
})

test('a clock that runs ahead still means today', () => {
  expect(groupByDay([at('future', new Date(2026, 10, 17))], now)[0]?.label).toBe('Today')
})

test('no sessions make no groups', () => {
  expect(groupByDay([], now)).toEqual([])
})

test('a session is untouched until something was said, written or started in it', () => {
  const usual = { workspace: '/w', mode: 'safe', toolset: 'deckhand', model: 'guide' }
  const state: Parameters<typeof isUntouched>[0] = {
    sessions: { s: { id: 's', key: '', agentId: 'main', status: 'idle', ...usual } as Session },
    settings: { defaultWorkspace: '/w', defaultMode: 'safe', defaultToolset: 'deckhand', defaultModel: '' } as Settings,
    providers: [],
    transcripts: { s: { messages: [], prepended: 0, complete: true, latest: true, run: 1 } },
    queues: {},
    processes: {},
    drafts: { s: ' ' },
    attachments: { s: [] },
  }
  expect(isUntouched(state, 's')).toBe(true)
  expect(isUntouched(state, 'gone')).toBe(false)
  const begun: Partial<typeof state>[] = [
    { sessions: { s: { ...state.sessions.s, key: 'agent:main:main' } as Session } },
    { sessions: { s: { ...state.sessions.s, agentId: 'other' } as Session } },
    { sessions: { s: { ...state.sessions.s, mode: 'all' } as Session } },
    // A model was added since: a new session would talk to that.
    { providers: [{ models: [{ id: 'p/m' }] } as Provider] },
    { transcripts: {} },
    { transcripts: { s: { messages: [{ id: 'm' } as Message], prepended: 0, complete: true, latest: true, run: 1 } } },
    { drafts: { s: 'I was about to' } },
    { processes: { p: { sessionId: 's' } as ProcessInfo } },
  ]
  for (const change of begun) expect(isUntouched({ ...state, ...change }, 's')).toBe(false)
})
