import { appendFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { openNodeLog } from './node-log'
import { type ExecReport, openOutbox } from './outbox'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'deckhand-outbox-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const event = (n: number): ExecReport => ({ eventId: `event-${n}-id`, sessionId: 's', event: 'finished', exitCode: 0 })
const refuse = () => Promise.reject(new Error('not connected'))

it('keeps what could not be sent over a restart, in order, and forgets what arrived', async () => {
  const path = join(folder, 'outbox.jsonl')
  const first = openOutbox(path, refuse)
  for (let n = 0; n < 3; n++) first.push(event(n))
  await first.flush()
  first.close()
  // A crash in the middle of a line.
  appendFileSync(path, '{"eventId":"half')

  const sent: string[] = []
  const second = openOutbox(path, async ({ eventId }) => void sent.push(eventId))
  await second.flush()
  second.close()
  expect(sent).toEqual(['event-0-id', 'event-1-id', 'event-2-id'])
  const third = openOutbox(path, refuse)
  expect(third.size).toBe(0)
  third.close()
})

it('holds 2048 and lets the oldest go', () => {
  const outbox = openOutbox(join(folder, 'outbox.jsonl'), refuse)
  for (let n = 0; n < 2060; n++) outbox.push(event(n))
  expect(outbox.size).toBe(2048)
  outbox.close()
})

it('logs JSON lines without the token, in files that are replaced by newer ones', async () => {
  const log = openNodeLog(folder, ['a-very-secret-token'], { maxBytes: 2000 })
  for (let n = 0; n < 60; n++) log.info('Line', { n, token: 'a-very-secret-token' })
  const { lines, truncated } = await log.tail(5)
  expect(lines.map((line) => JSON.parse(line).n)).toEqual([55, 56, 57, 58, 59])
  expect(truncated).toBe(true)
  expect(lines.join('\n')).not.toContain('secret')
  expect((await log.tail(25)).lines.length).toBeGreaterThan(15)
})
