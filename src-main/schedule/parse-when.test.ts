import { describe, expect, it } from 'vitest'
import { parseWhen } from './parse-when'

const now = Date.parse('2027-03-27T11:00:00Z') // a Saturday, 12:00 in Berlin; clocks go forward that night
const read = async (text: string, zone = 'Europe/Berlin'): Promise<string> =>
  new Date(await parseWhen(text, now, zone)).toISOString().replace(':00.000Z', 'Z')

describe('parseWhen', () => {
  it.each([
    ['1806130800', '2027-03-27T07:00Z'],
    ['1806130800000', '2027-03-27T07:00Z'],
    ['in 2 hours', '2027-03-27T13:00Z'],
    ['in 90m', '2027-03-27T12:30Z'],
    ['in 1.5 h', '2027-03-27T12:30Z'],
    ['in 3600000 ms', '2027-03-27T12:00Z'],
    ['in 120 seconds', '2027-03-27T11:02Z'],
    ['In 1 day', '2027-03-28T11:00Z'],
    ['in an hour', '2027-03-27T12:00Z'],
    ['today', '2027-03-26T23:00Z'],
    ['today at 17:30', '2027-03-27T16:30Z'],
    ['today 5pm', '2027-03-27T16:00Z'],
    ['today at 12am', '2027-03-26T23:00Z'],
    ['today at 12 pm', '2027-03-27T11:00Z'],
    ['tomorrow', '2027-03-27T23:00Z'],
    ['tomorrow at 9am', '2027-03-28T07:00Z'], // summer time by then
    ['Tomorrow 9', '2027-03-28T07:00Z'],
    ['tomorrow at 2:30', '2027-03-28T01:30Z'], // never shown by a clock: 03:30
    ['2027-06-01T09:00:00Z', '2027-06-01T09:00Z'],
    ['2027-06-01T09:00+02:00', '2027-06-01T07:00Z'],
    ['2027-06-01 09:00 -0430', '2027-06-01T13:30Z'],
    ['2027-06-01 09:00 America/New_York', '2027-06-01T13:00Z'],
    ['2027-06-01T09:00', '2027-06-01T07:00Z'],
    ['2027-01-05T09:00', '2027-01-05T08:00Z'],
    ['2027-06-01', '2027-05-31T22:00Z'],
    ['2027-10-31T02:30', '2027-10-31T00:30Z'], // comes twice: the first
  ])('%j is %s', async (text, iso) => expect(await read(text)).toBe(iso))

  it.each([
    ['next friday at 5pm', '2027-04-02T15:00Z'],
    ['monday 9:15', '2027-03-29T07:15Z'],
    ['1 July 2027 at 8 am', '2027-07-01T06:00Z'],
    ['5 November 2027 08:00 EST', '2027-11-05T13:00Z'],
  ])('free words: %j is %s', async (text, iso) => expect(await read(text)).toBe(iso))

  it('reads the same words in the zone of whoever writes them', async () => {
    expect(await read('tomorrow at 9am', 'America/New_York')).toBe('2027-03-28T13:00Z')
    expect(await read('2027-06-01T09:00', 'Asia/Kolkata')).toBe('2027-06-01T03:30Z')
  })

  it.each([
    '',
    'soon',
    'in two shakes',
    'today at 25:00',
    'today at 13pm',
    '2027-02-30T10:00',
    '2027-06-01T09:00 Mars/X',
  ])('refuses %j', async (text) => expect(parseWhen(text, now, 'UTC')).rejects.toThrow(/could not be read/))
})
