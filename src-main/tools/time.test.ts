import { expect, it } from 'vitest'
import { createTimeTool, formatTime } from './time'

const moment = Date.UTC(2025, 1, 26, 12, 34, 56, 789)

it.each([
  ['epoch', 'UTC', '1740573296'],
  ['epoch_ms', 'UTC', '1740573296789'],
  ['epoch_ns', 'UTC', '1740573296789000000'],
  ['iso', 'UTC', '2025-02-26T12:34:56.789Z'],
  ['iso', 'Asia/Kolkata', '2025-02-26T18:04:56.789+05:30'],
  ['rfc2822', 'UTC', 'Wed, 26 Feb 2025 12:34:56 +0000'],
  ['rfc2822', 'America/New_York', 'Wed, 26 Feb 2025 07:34:56 -0500'],
  ['date', 'Pacific/Auckland', '2025-02-27'],
  ['time', 'UTC', '12:34:56'],
] as const)('%s in %s', (format, zone, text) => {
  expect(formatTime(moment, format, zone)).toBe(text)
})

it('counts hours from 0', () => {
  expect(formatTime(Date.UTC(2025, 0, 1), 'time', 'UTC')).toBe('00:00:00')
})

it('refuses unknown zones and formats', () => {
  const tool = createTimeTool('local', () => moment)
  expect(() => tool.parse({ zone: 'Mars/Olympus' })).toThrow('is not a time zone')
  expect(() => tool.parse({ format: 'stardate' })).toThrow('format')
})
