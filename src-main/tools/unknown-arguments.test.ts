import { expect, test } from 'vitest'
import { z } from 'zod'
import { inputShape } from './input'
import { unknownArguments } from './unknown-arguments'

const shape = inputShape(() =>
  z.object({
    path: z.string(),
    edits: z.array(z.object({ old: z.string(), new: z.string().optional() })).optional(),
    place: z.union([z.object({ line: z.number() }), z.object({ after: z.string() })]).optional(),
    env: z.record(z.string(), z.string()).optional(),
  }),
)

const messageOf = (raw: unknown): string => unknownArguments(shape.schema, raw).join('; ')

test('arguments that a tool does not know are told, with those that it knows', () => {
  expect(messageOf({ path: 'a', force: true })).toBe('Unknown argument: force; known: path, edits, place, env')
  expect(messageOf({ path: 'a', edits: [{ old: 'x' }, { old: 'y', all: true }] })).toBe(
    'Unknown argument: edits[1].all; known: old, new',
  )
  expect(messageOf({ path: 'a', place: { after: 'x', before: 'y' } })).toBe(
    'Unknown argument: place.before; known: after',
  )
  expect(messageOf({ path: 'a', ['__proto__']: 1, constructor: 1 })).toContain('Unknown argument: constructor')
})

test('a null counts as left out, and names that are free stay free', () => {
  expect(messageOf({ path: 'a', force: null, place: { after: 'x', before: null }, env: { ANY: 'x' } })).toBe('')
})
