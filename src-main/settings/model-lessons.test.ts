import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openModelLessons } from './model-lessons'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'deckhand-lessons-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const path = () => join(folder, 'model-lessons.json')
const fail = (error: unknown) => {
  throw error
}
const day = 24 * 60 * 60 * 1000

test('what a server taught is known after a restart, to that server only, and looked at anew after a month', () => {
  let now = Date.now()
  const clock = () => now
  openModelLessons(path(), fail, clock).bookFor('openai a').learn('gpt-5.6', { api: 'responses' })
  openModelLessons(path(), fail, clock)
    .bookFor('openai a')
    .learn('gpt-5.6', { refused: ['include'] })
  const again = openModelLessons(path(), fail, clock)
  expect(again.bookFor('openai a').of('gpt-5.6')).toMatchObject({ api: 'responses', refused: ['include'] })
  expect(again.bookFor('openai a').of('gpt-5.5')).toEqual({})
  expect(again.bookFor('openai b').of('gpt-5.6')).toEqual({})
  now += 31 * day
  expect(openModelLessons(path(), fail, clock).bookFor('openai a').of('gpt-5.6')).toEqual({})
})

test('a file that is damaged is put aside, and one that cannot be written does not stop the work', () => {
  writeFileSync(path(), '{"openai')
  expect(openModelLessons(path(), fail).bookFor('x').of('m')).toEqual({})
  const errors: unknown[] = []
  const nowhere = openModelLessons(join(folder, 'model-lessons.json/sub/x.json'), (error) => errors.push(error))
  writeFileSync(path(), '{}')
  nowhere.bookFor('x').learn('m', { noResponses: true })
  expect(errors).toHaveLength(1)
  expect(nowhere.bookFor('x').of('m')).toEqual({ noResponses: true })
})
