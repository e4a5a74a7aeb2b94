import { expect, test } from 'vitest'
import { answeringModel } from './answering-model'

test.each([
  { own: undefined, asking: 'cli/x', answers: 'cli/x' },
  { own: undefined, asking: 'guide', answers: undefined },
  { own: 'guide', asking: 'cli/x', answers: 'cli/x' },
  { own: 'guide', asking: 'guide', answers: 'guide' },
  { own: 'cli/of-yesterday', asking: 'local/x', answers: 'local/x' },
  { own: 'local/own', asking: 'cli/x', answers: 'local/own' },
])('a session with $own that one with $asking writes to answers with $answers', ({ own, asking, answers }) =>
  expect(answeringModel(own, asking)).toBe(answers),
)
