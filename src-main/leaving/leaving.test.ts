import { expect, test } from 'vitest'
import type { Question } from '../../src-preload/contract/approval'
import { answersInPlace } from './answers-in-place'
import { atWorkWords, onClose } from './close-window'
import { promptShortcutWords } from './prompt-words'
import { trayMenu, trayTip } from './tray-menu'

const idle = { turns: 0, questions: 0, processes: 0, jobs: 0 }

test('closing quits, hides or asks, by the setting and by what is at work', () => {
  expect(onClose('ask', idle)).toBe('quit')
  for (const what of ['turns', 'questions', 'processes', 'jobs'])
    expect(onClose('ask', { ...idle, [what]: 1 })).toBe('ask')
  expect(onClose('background', idle)).toBe('hide')
  expect(onClose('quit', { ...idle, turns: 3 })).toBe('quit')
  expect(atWorkWords({ turns: 1, questions: 2, processes: 0, jobs: 1 })).toBe(
    '1 session is working, 2 questions are waiting, 1 job is scheduled.',
  )
  expect(atWorkWords(idle)).toBe('')
})

test('the tray lists what waits and what runs, in short lines', () => {
  const running = Array.from({ length: 10 }, (_, index) => ({ sessionId: `s${index}`, title: `Session ${index}` }))
  const menu = trayMenu({
    running,
    waiting: [{ sessionId: 'w', title: 'Fix & run', asks: `rm\u202e\n-rf ${'x'.repeat(200)}` }],
  })
  expect(menu.slice(0, 3)).toEqual([
    { type: 'heading', label: 'Waiting for you' },
    { type: 'session', sessionId: 'w', label: expect.stringMatching(/^Fix && run: rm -rf x+…$/) },
    { type: 'separator' },
  ])
  expect(menu.filter(({ type }) => type === 'session')).toHaveLength(9)
  expect(menu).toContainEqual({ type: 'heading', label: 'and 2 more' })
  expect(menu.at(-1)).toEqual({ type: 'quit', label: 'Quit Deckhand' })
  expect(trayMenu({ running: [], waiting: [] }).map(({ type }) => type)).toEqual([
    'open',
    'prompt',
    'separator',
    'quit',
  ])
  expect(trayTip({ running, waiting: [] })).toBe('Deckhand: 10 working')
  expect(trayTip({ running: [], waiting: [] })).toBe('Deckhand')
})

const question: Question = {
  id: 'q',
  callId: 'c',
  sessionId: 's',
  kind: 'command',
  title: 'Run a command',
  command: 'npm test',
  node: 'local',
  reason: '',
  offers: [],
  editable: true,
  ancestry: [],
  createdAt: 0,
}

test('only what a notification shows whole and what is not dangerous can be answered there', () => {
  expect(answersInPlace(question)).toEqual([
    { label: 'Allow once', answer: { decision: 'allow', scope: 'once' } },
    { label: 'Deny', answer: { decision: 'deny' } },
  ])
  const others: Partial<Question>[] = [
    { typedWord: 'delete' },
    { kind: 'file' },
    { kind: 'tool' },
    { kind: 'ask-user', choices: ['a'] },
    { kind: 'loop' },
    { command: `echo ${'x'.repeat(200)}` },
    { command: 'echo a\nrm b' },
    { command: 'echo \u202eabc' },
    { command: 'echo <b>' },
    { subCommands: [{ text: 'rm', verdict: 'ask', reason: '', danger: true }] },
  ]
  for (const other of others) expect(answersInPlace({ ...question, ...other })).toEqual([])
})

test('a shortcut that cannot be had is told of with its name', () => {
  expect(promptShortcutWords('Control+Alt+Space')).toBe(
    'Ctrl+Alt+Space cannot open the prompt box: another program or the desktop uses it. Choose another in Settings.',
  )
})
