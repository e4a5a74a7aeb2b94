import { expect, test } from 'vitest'
import type { RuleOffer } from '../../src-preload/contract/approval'
import { testQuestion } from '../state/test-question'
import { answersFor } from './answers-for'

const offer = (scope: RuleOffer['scope'], index: number): RuleOffer => ({ index, scope, sentence: `Allow (${scope})` })
const question = testQuestion({ command: 'ls', offers: [offer('session', 0), offer('workspace', 1)] })

test('a command can be allowed once, for the session, or by a rule', () => {
  const { loop, editable, wider, rules } = answersFor(question)
  expect({ loop, editable, wider: wider?.label, rules: rules.length }).toEqual({
    loop: false,
    editable: true,
    wider: 'Allow for this session',
    rules: 2,
  })
})

test('what is typed into a program is allowed for that program, and for nothing wider', () => {
  const { wider, rules } = answersFor({ ...question, offers: [offer('process', 4)] })
  expect(wider?.answer).toEqual({ decision: 'allow', scope: 'rule', offer: 4 })
  expect(rules).toEqual([])
})

test('nothing lasting is offered where a word has to be typed or the question is whether to go on', () => {
  for (const asked of [
    { ...question, typedWord: 'admin' },
    { ...question, kind: 'loop' as const },
  ])
    expect(answersFor(asked)).toMatchObject({ wider: null, rules: [] })
})
