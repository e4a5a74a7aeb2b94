import { expect, test } from 'vitest'
import type { Message } from '../../src-preload/contract/messages'
import type { Provider } from '../../src-preload/contract/models'
import type { ProcessInfo } from '../../src-preload/contract/processes'
import type { Session } from '../../src-preload/contract/sessions'
import type { Settings } from '../../src-preload/contract/settings'
import { folderLabels, groupByFolder, isUntouched, recentFolders, sessionMark, sortedSessions } from './sessions'

const at = (id: string, workspace: string, updatedAt: number, more: Partial<Session> = {}) =>
  ({ id, workspace, updatedAt, pinned: false, archived: false, status: 'idle', waiting: 0, ...more }) as Session

test('sessions stand under their folder, the last used first; pinned ones before and archived ones after them', () => {
  const sessions = [
    at('old', '/shop', 1),
    at('blog', '/blog', 2),
    at('new', '/shop', 3),
    at('pin', '/blog', 4, { pinned: true }),
    at('away', '/shop', 5, { archived: true, pinned: true }),
    { ...at('child', '/shop', 6), parentId: 'new' },
  ]
  const sorted = sortedSessions(Object.fromEntries(sessions.map((session) => [session.id, session])))
  const ids = (list: Session[]) => list.map(({ id }) => id)
  const { pinned, folders, archived } = groupByFolder(sorted)
  expect([ids(pinned), folders.map((group) => [group.folder, ids(group.sessions)]), ids(archived)]).toEqual([
    ['pin'],
    [
      ['/shop', ['new', 'old']],
      ['/blog', ['blog']],
    ],
    ['away'],
  ])
})

test('folders of the same name are told apart by what holds them', () => {
  expect([...folderLabels(['/a/shop/api', '/a/blog/api', '/a/site', '/']).values()]).toEqual([
    'api (shop)',
    'api (blog)',
    'site',
    '/',
  ])
})

test('recent folders are those of the sessions, each once', () => {
  const sessions = [at('a', '/x', 1), at('b', '/y', 2), at('c', '/x', 3)]
  expect(recentFolders(Object.fromEntries(sessions.map((each) => [each.id, each])))).toEqual(['/x', '/y'])
})

test('a row tells what matters most of its session', () => {
  const asks = { sessionId: 'a', status: 'running', secretInput: true } as ProcessInfo
  const answers = { ...asks, secretInput: false, prompt: { text: 'Go on? [y/N]', guess: true } }
  const mark = (session: Partial<Session>, more: Partial<Parameters<typeof sessionMark>[0]> = {}) =>
    sessionMark({ sessions: { a: at('a', '/x', 1, session) }, processes: {}, lastStop: {}, unread: {}, ...more }, 'a')
  expect([
    mark({ waiting: 2, status: 'waiting' }, { processes: { p: asks } }),
    mark({ status: 'running' }, { processes: { p: asks } }),
    mark({ status: 'running' }, { processes: { p: answers } }),
    mark({ status: 'running' }, { processes: { p: { ...answers, status: 'exited' } } }),
    mark({ status: 'running' }, { unread: { a: true } }),
    mark({}, { lastStop: { a: 'failed' }, unread: { a: true } }),
    mark({}, { lastStop: { a: 'done' }, unread: { a: true } }),
    mark({}, { lastStop: { a: 'done' } }),
  ]).toEqual(['answer', 'input', 'input', 'running', 'running', 'failed', 'unread', null])
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
    // A model was added since, which a new session would use.
    { providers: [{ models: [{ id: 'p/m' }] } as Provider] },
    { transcripts: {} },
    { transcripts: { s: { messages: [{ id: 'm' } as Message], prepended: 0, complete: true, latest: true, run: 1 } } },
    { drafts: { s: 'I was about to' } },
    { processes: { p: { sessionId: 's' } as ProcessInfo } },
  ]
  for (const change of begun) expect(isUntouched({ ...state, ...change }, 's')).toBe(false)
})
