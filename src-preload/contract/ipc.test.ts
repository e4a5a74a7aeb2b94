import { expect, test } from 'vitest'
import { type CallSpec, onlyReads } from './call'
import { type CallName, calls } from './ipc'

const all = Object.entries(calls) as [CallName, CallSpec][]

/** The last word of every call that says of itself that it only reads. */
const reading =
  /^hello$|\.(?:list|search|page|place|output|text|files|read|prompt|logs?|probe|choices|questions|status|runs|preview|import|projects|state|recalls|get|diff|kept|resources|spending|history|comments|plan|sent|find|draw|exists|lastCall|ports)$/

test('a call needs a person unless it says why not', () => {
  const free = all.flatMap(([name, { gesture }]) => (gesture.by === 'anyone' ? [[name, gesture.because] as const] : []))
  const reads = free.filter(([, because]) => because === onlyReads).map(([name]) => name)
  expect(reads.filter((name) => !reading.test(name))).toEqual([])
  // These change something and are free all the same. Think twice before a line is added here.
  expect(Object.fromEntries(free.filter(([, because]) => because !== onlyReads))).toEqual({
    'session.create': 'The window makes one at its first start. It has the usual mode, and nothing is said in it.',
    'turn.stop': 'Stopping is never held up.',
    'terminal.attach': 'Panes are drawn as they come into view.',
    'terminal.columns': 'It follows from the size of the window.',
    'provider.detect': 'It looks at the usual ports of this very machine.',
    'preview.close': 'Closing a page changes nothing.',
    'preview.place': 'It follows from the layout of the window.',
    'mcp.lookAtProject': 'Done whenever a session opens; only what was trusted before is started.',
  })
  expect(all.filter(([, { gesture }]) => gesture.by === 'box').map(([name]) => name)).toEqual([
    'session.export',
    'app.chooseFolder',
    'replay.export',
  ])
})

test('what a person is asked names what would happen, and inputs that let nothing happen need nobody', () => {
  const asked = (name: CallName, input: unknown) => {
    const { gesture } = calls[name]
    return gesture.by === 'person' ? gesture.ask(input) : undefined
  }
  const job = { name: 'x', schedule: { kind: 'at', at: 'in 1 minute' }, spec: { mode: 'task', message: 'x' } }
  expect(asked('schedule.add', { ...job, mode: 'all' })).toMatch(/everything, without being asked/)
  expect(asked('schedule.add', job)).toMatch(/Schedule/)
  expect(asked('schedule.update', { id: 'j', mode: 'all' })).toMatch(/everything, without being asked/)
  expect(asked('session.update', { id: 's', mode: 'all' })).toMatch(/everything in this session/)
  expect(asked('session.update', { id: 's', title: 'x' })).toMatch(/Change this session/)
  expect(asked('settings.update', { defaultMode: 'all', theme: 'dark' })).toMatch(/everything in new sessions/)
  expect(asked('settings.update', { theme: 'dark', gatewayEnabled: true })).toMatch(/Change the settings/)
  expect(asked('settings.update', { theme: 'dark', terminalFontSize: 13 })).toBeNull()
  expect(asked('question.answer', { questionId: 'q', answer: { decision: 'allow', scope: 'once' } })).toMatch(/Allow/)
  expect(asked('question.answer', { questionId: 'q', answer: { decision: 'deny' } })).toBeNull()
  for (const [name, { gesture }] of all) {
    if (gesture.by !== 'person' || name === 'question.answer' || name === 'settings.update') continue
    expect(gesture.ask({}), name).toMatch(/\?/)
  }
})
