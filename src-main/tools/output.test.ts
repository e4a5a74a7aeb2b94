import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { Content } from '../../src-preload/contract/content'
import { boundResult, cutMiddle, showInvisible } from './output'

let dir: string
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'deckhand-output-'))
})
afterEach(() => rmSync(dir, { recursive: true, force: true }))

const text = (value: string): Content => ({ type: 'text', text: value })
const textOf = (content: Content[]): string => (content[0] as { text: string }).text

it('leaves what fits alone and writes nothing', async () => {
  expect(await boundResult([text('é'.repeat(50))], { maxResultBytes: 100, spillDir: dir }, 'a')).toEqual([
    text('é'.repeat(50)),
  ])
  expect(readdirSync(dir)).toEqual([])
})

it.each([300, 301, 302, 303])('never cuts a character in half (%i bytes)', (budget) => {
  const cut = cutMiddle('€😀é'.repeat(200), budget, 'here')
  expect(Buffer.byteLength(cut)).toBeLessThanOrEqual(budget)
  expect(cut).not.toContain('\uFFFD')
  expect(cut).toMatch(/^€.*é$/s)
})

it('counts what it left out', () => {
  const cut = cutMiddle('a'.repeat(1000), 200, 'here')
  const left = Number(/(\d+) bytes left out/.exec(cut)?.[1])
  expect(cut.replace(/\n.*\n/, '').length + left).toBe(1000)
})

it('keeps a JSON object whole and cuts its longest string', async () => {
  const output = '"quoted"\n'.repeat(20_000)
  const object = { status: 'completed', exitCode: 0, output, tail: output.slice(-4000) }
  const bounded = textOf(
    await boundResult([text(JSON.stringify(object))], { maxResultBytes: 30_000, spillDir: dir }, 'b'),
  )
  expect(Buffer.byteLength(bounded)).toBeLessThanOrEqual(30_000)
  expect(Buffer.byteLength(bounded)).toBeGreaterThan(25_000)
  const back = JSON.parse(bounded)
  expect(back).toEqual({ ...object, output: expect.stringContaining(join(dir, 'b.txt')) })
  expect(readFileSync(join(dir, 'b.txt'), 'utf8')).toBe(output)
})

it('cuts JSON like text when no single string is to blame', async () => {
  const rows = JSON.stringify({ rows: Array.from({ length: 2000 }, (_, index) => `row ${index}`) })
  const bounded = textOf(await boundResult([text(rows)], { maxResultBytes: 1_000, spillDir: dir }, 'c'))
  expect(Buffer.byteLength(bounded)).toBeLessThanOrEqual(1_000)
  expect(bounded).toMatch(/^\{"rows":\["row 0".*"row 1999"\]\}$/s)
})

it('shares the room between several texts', async () => {
  const bounded = await boundResult(
    [text('a'.repeat(9000)), text('note')],
    { maxResultBytes: 1000, spillDir: dir },
    'd',
  )
  expect(bounded[1]).toEqual(text('note'))
})

it('does not fail because the rest cannot be kept', async () => {
  const blocked = join(dir, 'file')
  writeFileSync(blocked, '')
  const bounded = textOf(await boundResult([text('a'.repeat(9000))], { maxResultBytes: 500, spillDir: blocked }, 'e'))
  expect(bounded).toContain('could not be kept')
})

it('leaves out an image that no model takes', async () => {
  const image: Content = { type: 'image', data: 'A'.repeat(14_000_000), mimeType: 'image/png' }
  expect(await boundResult([image], { maxResultBytes: 100, spillDir: dir }, 'f')).toMatchObject([{ type: 'text' }])
})

it('shows characters that hide text, and repairs broken ones', () => {
  expect(showInvisible('a\u{E0041}b\uD800c')).toBe('a\\u{E0041}b\uFFFDc')
})
