import { describe, expect, it } from 'vitest'
import { checkedExpression, nextRun } from './next-run'

const runsAfter = (expr: string, tz: string, from: string, count: number): string[] => {
  const found: string[] = []
  let now = Date.parse(from)
  for (let n = 0; n < count; n++) {
    const next = nextRun({ kind: 'cron', expr, tz }, now)
    if (next === null) break
    found.push(new Date(next).toISOString().slice(0, 16))
    now = next
  }
  return found
}

describe('clocks that go forward', () => {
  it('run a daily job right after the gap that swallowed its time, once', () => {
    expect(runsAfter('30 2 * * *', 'Europe/Berlin', '2027-03-27T12:00Z', 3)).toEqual([
      '2027-03-28T01:00', // 03:00 summer time; 02:30 does not exist
      '2027-03-29T00:30',
      '2027-03-30T00:30',
    ])
    expect(runsAfter('30 2 * * *', 'America/New_York', '2027-03-13T12:00Z', 2)).toEqual([
      '2027-03-14T07:00',
      '2027-03-15T06:30',
    ])
  })
  it('keep intervals even', () => {
    expect(runsAfter('*/30 * * * *', 'Europe/Berlin', '2027-03-28T00:15Z', 4)).toEqual([
      '2027-03-28T00:30',
      '2027-03-28T01:00',
      '2027-03-28T01:30',
      '2027-03-28T02:00',
    ])
  })
  it('keep the hour of a daily job on the wall', () => {
    expect(runsAfter('0 9 * * *', 'Europe/Berlin', '2027-03-27T00:00Z', 2)).toEqual([
      '2027-03-27T08:00',
      '2027-03-28T07:00',
    ])
  })
})

describe('clocks that go back', () => {
  it('run a daily job once in the hour that comes twice', () => {
    expect(runsAfter('30 2 * * *', 'Europe/Berlin', '2027-10-30T12:00Z', 2)).toEqual([
      '2027-10-31T00:30',
      '2027-11-01T01:30',
    ])
    expect(runsAfter('30 1 * * *', 'America/New_York', '2027-11-07T00:00Z', 2)).toEqual([
      '2027-11-07T05:30',
      '2027-11-08T06:30',
    ])
  })
  it('run an hourly job in both', () => {
    expect(runsAfter('0 * * * *', 'America/New_York', '2027-11-07T04:30Z', 3)).toEqual([
      '2027-11-07T05:00',
      '2027-11-07T06:00',
      '2027-11-07T07:00',
    ])
  })
})

describe('cron expressions', () => {
  it('match by OR when both days are restricted', () => {
    expect(runsAfter('0 9 13 * 5', 'UTC', '2027-01-09T00:00Z', 3)).toEqual([
      '2027-01-13T09:00', // the 13th
      '2027-01-15T09:00', // a Friday
      '2027-01-22T09:00',
    ])
  })
  it('take 0 and 7 for Sunday, lists, ranges, steps, and steps from a number', () => {
    expect(runsAfter('0 0 * * 7', 'UTC', '2027-01-01T00:00Z', 1)).toEqual(
      runsAfter('0 0 * * 0', 'UTC', '2027-01-01T00:00Z', 1),
    )
    expect(runsAfter('50/5,3 8-9 * * *', 'UTC', '2027-01-01T00:00Z', 5)).toEqual([
      '2027-01-01T08:03',
      '2027-01-01T08:50',
      '2027-01-01T08:55',
      '2027-01-01T09:03',
      '2027-01-01T09:50',
    ])
  })
  it('look no further than a year', () => {
    expect(runsAfter('0 0 31 2 *', 'UTC', '2027-01-01T00:00Z', 1)).toEqual([])
    expect(runsAfter('0 0 29 2 *', 'UTC', '2027-01-01T00:00Z', 1)).toEqual([])
    expect(runsAfter('0 0 29 2 *', 'UTC', '2027-03-01T00:00Z', 1)).toEqual(['2028-02-29T00:00'])
  })
  it.each(['* * * *', '* * * * * *', '60 * * * *', '* 24 * * *', '* * 0 * *', '* * * 13 *', '* * * * 8', '@daily'])(
    'refuse %j',
    (expr) => expect(() => checkedExpression(expr, 'UTC')).toThrow(/cron expression/),
  )
  it.each(['* * * JAN *', '* * * * MON', '* * L * *', '*/0 * * * *', '5-1 * * * *', '1-2-3 * * * *', '* * * * 1#2'])(
    'refuse %j',
    (expr) => expect(() => checkedExpression(expr, 'UTC')).toThrow(/is made of/),
  )
  it('refuse a zone that is none', () => {
    expect(() => checkedExpression('* * * * *', 'Mars/Olympus')).toThrow('no time zone named "Mars/Olympus"')
  })
})

describe('intervals', () => {
  const hour = 3_600_000
  it('count from the anchor, and a future anchor is the first run', () => {
    expect(nextRun({ kind: 'every', everyMs: hour, anchorMs: 100 }, 100)).toBe(100 + hour)
    expect(nextRun({ kind: 'every', everyMs: hour, anchorMs: 100 }, 99 + 3 * hour)).toBe(100 + 3 * hour)
    expect(nextRun({ kind: 'every', everyMs: hour, anchorMs: 9 * hour }, 5)).toBe(9 * hour)
  })
  it('begin now without one, and then go on from the run before', () => {
    expect(nextRun({ kind: 'every', everyMs: hour }, 7)).toBe(7 + hour)
    expect(nextRun({ kind: 'every', everyMs: hour }, 7 + hour + 30, 7 + hour)).toBe(7 + 2 * hour)
    expect(nextRun({ kind: 'every', everyMs: hour }, 7 + 10 * hour, 7 + hour)).toBe(7 + 11 * hour)
  })
})

it('a single time comes once', () => {
  expect(nextRun({ kind: 'at', atMs: 50 }, 10)).toBe(50)
  expect(nextRun({ kind: 'at', atMs: 50 }, 60, 50)).toBe(null)
})
