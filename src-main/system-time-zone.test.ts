import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { localDate } from './agents/dates'
import { systemTimeZone, zoneIn } from './system-time-zone'

const zones = '/usr/share/zoneinfo'
const present = (() => {
  try {
    return ['Africa', 'America', 'Asia', 'Australia', 'Europe', 'Pacific', 'Etc'].flatMap((area) =>
      readdirSync(join(zones, area), { withFileTypes: true }).flatMap((each) =>
        each.isDirectory() ? [] : `${area}/${each.name}`,
      ),
    )
  } catch {
    return []
  }
})()

describe('the time zone of the system', () => {
  it('is the one that Intl names', () => {
    expect(systemTimeZone()).toBe(Intl.DateTimeFormat().resolvedOptions().timeZone)
  })

  it.each([
    ['/usr/share/zoneinfo/Europe/Berlin', 'Europe/Berlin'],
    ['../usr/share/zoneinfo/America/Argentina/Buenos_Aires', 'America/Argentina/Buenos_Aires'],
    ['/var/db/timezone/zoneinfo/America/New_York', 'America/New_York'],
    ['/etc/zoneinfo/Etc/UTC', 'UTC'],
    ['/usr/share/zoneinfo/Etc/GMT+3', undefined],
    ['/usr/share/zoneinfo/UTC', undefined],
    ['/usr/share/zoneinfo/posixrules', undefined],
    ['/home/somebody/zone', undefined],
  ])('of a link to %s is %s', (path, zone) => expect(zoneIn(path)).toBe(zone))

  it.runIf(present.length > 0)('is one that Intl knows, whatever the system links to', () => {
    const named = present.flatMap((name) => zoneIn(join(zones, name)) ?? [])
    expect(named.length).toBeGreaterThan(200)
    for (const zone of named) expect(() => new Intl.DateTimeFormat('en', { timeZone: zone })).not.toThrow()
  })

  it('gives the same dates by its own clock as by Intl', () => {
    const byIntl = new Intl.DateTimeFormat('en-CA', {
      timeZone: systemTimeZone(),
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
    })
    for (let hours = 0; hours < 24 * 400; hours += 7) {
      const at = Date.UTC(2026, 0, 1, hours)
      expect(localDate(at, systemTimeZone())).toBe(byIntl.format(at))
    }
    expect(localDate(Date.UTC(2026, 0, 1), 'Pacific/Honolulu')).toBe('2025-12-31')
  })
})
