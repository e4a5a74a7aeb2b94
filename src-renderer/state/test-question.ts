import type { Question } from '../../src-preload/contract/approval'

/** A question about a command, for tests. */
export const testQuestion = (more: Partial<Question> = {}): Question => ({
  id: 'q',
  callId: 'c',
  sessionId: 's',
  kind: 'command',
  title: 'Run a command',
  node: 'local',
  reason: '',
  offers: [],
  editable: true,
  ancestry: ['s'],
  createdAt: 0,
  ...more,
})
