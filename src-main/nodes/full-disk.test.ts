import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { ProcessTable } from './process-table'
import { openTestTable, shellRequest } from './test-table'

/** A disk of 256 kB for the logs. Only root can create one. */
let disk: string
let mounted = false
let table: ProcessTable
beforeEach(() => {
  disk = mkdtempSync(join(tmpdir(), 'deckhand-small-disk-'))
  mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=256k', 'deckhand-test', disk]).status === 0
  table = openTestTable(join(disk, 'processes'))
})
afterEach(async () => {
  await table.close()
  if (mounted) spawnSync('umount', ['-l', disk])
  rmSync(disk, { recursive: true, force: true })
})

const start = (command: string) => table.start(shellRequest(command, tmpdir()))

test('a command whose output finds no space ends all the same, and what is missing is said', async (context) => {
  if (!mounted) return context.skip('a small disk can only be made by root')
  const { id } = await start('seq 1 60000; echo the-end')
  expect(await table.wait(id, 30_000)).toBe('exited')
  const { text } = await table.output(id, { maxChars: 1_000_000 })
  expect(text).toMatch(/\n\[The disk is full: the last \d+ bytes of the output could not be kept\.\]$/)
  const full = await start('echo one; echo two')
  expect(await table.wait(full.id, 30_000)).toBe('exited')
  expect((await table.output(full.id, { maxChars: 1000 })).text).toContain('could not be kept')
})

test('with space, nothing is said', async () => {
  const { id } = await start('seq 1 1000; printf end')
  expect(await table.wait(id, 30_000)).toBe('exited')
  const { text } = await table.output(id, { maxChars: 100_000 })
  expect(text.endsWith('\nend')).toBe(true)
})
