import { expect, it } from 'vitest'
import type { QuestionForm } from '../../src-preload/contract/form'
import { promptForm } from './form-prompt'

const form: QuestionForm = {
  asker: 'notes',
  fields: [
    { name: 'name', label: 'Name', required: true, kind: 'text' },
    { name: 'count', label: 'Count', required: false, kind: 'number', whole: true, start: 3 },
    { name: 'sure', label: 'Sure', required: false, kind: 'yes-no' },
    {
      name: 'tags',
      label: 'Tags',
      required: false,
      kind: 'some',
      options: ['a', 'b'].map((value) => ({ value, label: value })),
    },
  ],
}
const at = (lines: string[]) => {
  const asked: string[] = []
  const ask = async (line: string): Promise<string | null> => {
    asked.push(line)
    return lines.shift() ?? null
  }
  return { asked, answer: () => promptForm('notes asks: Well?', form, ask) }
}

it('asks field by field, again where the answer does not fit', async () => {
  const terminal = at(['y', '', '', 'Ada', '', 'yes', 'a, c', '', 'a, b'])
  expect(await terminal.answer()).toEqual({
    decision: 'reply',
    text: JSON.stringify({ name: 'Ada', count: 3, sure: true, tags: ['a', 'b'] }),
  })
  expect(terminal.asked[0]).toContain('are sent to notes')
  expect(terminal.asked.join('\n')).toContain('An answer is needed.')
})

it('takes anything but a yes for a no, and leaving for neither', async () => {
  expect(await at(['']).answer()).toEqual({ decision: 'deny' })
  expect(await at(['y']).answer()).toEqual({ decision: 'deny', unanswered: true })
})
