import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { usage } from './usage'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'deckhand-usage-'))
})
afterEach(() => {
  vi.restoreAllMocks()
  rmSync(folder, { recursive: true, force: true })
})

const printed = async (...options: [string, string][]): Promise<string> => {
  const write = vi.spyOn(process.stdout, 'write').mockReturnValue(true)
  await usage(new Map([['data', folder], ...options]))
  return String(write.mock.calls[0]?.[0])
}

test('a last day alone is the end of its own month', async () => {
  expect(await printed(['to', '2026-02-28'])).toBe('Nothing was used from 2026-02-01 to 2026-02-28.\n')
  await expect(printed(['from', '2026-03-01'], ['to', '2026-02-28'])).rejects.toThrow('is after --to 2026-02-28')
})

test('a day has to be in the calendar', async () => {
  for (const day of ['2026-02-30', '2026-13-01', '2026-2-1', 'today', ''])
    await expect(printed(['from', day])).rejects.toThrow(`not "${day}"`)
})

test('a folder that is not there is told, and not made', async () => {
  const missing = join(folder, 'missing')
  await expect(printed(['data', missing])).rejects.toThrow(`--data: folder not found: ${missing}`)
  expect(existsSync(missing)).toBe(false)
})
