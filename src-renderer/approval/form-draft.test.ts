import { expect, it } from 'vitest'
import type { QuestionForm } from '../../src-preload/contract/form'
import { startDraft, valuesOf } from './form-draft'

const form: QuestionForm = {
  asker: 'x',
  fields: [
    { name: 'text', label: 'Text', required: true, kind: 'text' },
    { name: 'count', label: 'Count', required: false, kind: 'number', whole: true, start: 42 },
    { name: 'sure', label: 'Sure', required: false, kind: 'yes-no' },
    { name: 'one', label: 'One', required: false, kind: 'one', options: [{ value: 'a', label: 'A' }] },
    { name: 'some', label: 'Some', required: false, kind: 'some', options: [{ value: 'a', label: 'A' }] },
  ],
}

it('starts with what the server suggests, and leaves out what stays empty', () => {
  const draft = startDraft(form)
  expect(draft).toEqual({ text: '', count: '42', sure: false, one: '', some: [] })
  expect(valuesOf(form, draft)).toEqual({ count: 42, sure: false })
  expect(valuesOf(form, { text: 'x', count: '', sure: true, one: 'a', some: ['a'] })).toEqual({
    text: 'x',
    sure: true,
    one: 'a',
    some: ['a'],
  })
})

it('sends a number that is none for what it is, so that it is refused', () => {
  expect(valuesOf(form, { count: 'many' })).toEqual({ count: Number.NaN })
})
