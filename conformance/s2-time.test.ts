import { describe, expect, it } from 'vitest'
import { buddy } from './buddy'
import { openBench } from './harness'
import { refused, told } from './miclaw'

const moment = Date.parse('2025-02-26T12:34:56.789Z')
const bench = openBench(buddy({ clock: () => moment }))
const time = (format?: string) => told(bench, 'time', format === undefined ? {} : { format })

describe('time', () => {
  it('S2-Time-01 has its name', () => expect(bench.definition('time')).toBeDefined())
  it('S2-Time-02 is in epoch seconds unless told otherwise', async () => {
    expect(await time()).toBe('1740573296')
    expect(await refused(bench, 'time', { format: 'unix' })).toMatch(/^Tool error: invalid arguments: /)
  })
  const formats: [string, string, string][] = [
    ['03', 'epoch', '1740573296'],
    ['04', 'epoch_ms', '1740573296789'],
    ['05', 'epoch_ns', '1740573296789000000'],
    ['06', 'iso', '2025-02-26T12:34:56.789Z'],
    ['07', 'rfc2822', 'Wed, 26 Feb 2025 12:34:56 +0000'],
    ['08', 'date', '2025-02-26'],
    ['09', 'time', '12:34:56'],
  ]
  it.each(formats)('S2-Time-%s %s', async (_, format, expected) => expect(await time(format)).toBe(expected))
  it('S2-Time-10 is that of the harness, and no shell is asked', async () => {
    expect(await told(bench, 'run_shell', { command: 'date +%Y' })).not.toContain('2025')
    expect(await time('date')).toBe('2025-02-26')
    expect(bench.table.list()).toHaveLength(1)
  })
})
