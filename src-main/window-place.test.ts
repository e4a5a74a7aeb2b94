import { expect, test } from 'vitest'
import { placeFor } from './window-place'

const screen = { x: 0, y: 24, width: 1920, height: 1056 }
const place = (saved: unknown) => placeFor(saved, () => screen)
const size = { width: 1000, height: 700, maximized: false }

test('a window opens where it was left, maximised or not', () => {
  for (const saved of [
    { x: 100, y: 60, ...size },
    { x: 0, y: 24, ...size, maximized: true },
    { x: -900, y: 24, ...size },
    { x: 1840, y: 1000, ...size },
  ])
    expect(place(saved)).toEqual(saved)
})

test('one that was left on a screen that is gone is put where the system likes', () => {
  for (const [x, y] of [
    [-1000, 100],
    [-5000, 100],
    [1900, 100],
    [5000, 100],
    [100, -600],
    [100, 1080],
  ])
    expect(place({ x, y, ...size })).toEqual(size)
})

test('one from a larger screen is made to fit', () => {
  expect(place({ x: 40, y: 40, width: 3800, height: 2000, maximized: false })).toEqual({
    x: 40,
    y: 40,
    width: 1920,
    height: 1056,
    maximized: false,
  })
})

test('the first one has the size of the design, if the screen has', () => {
  for (const saved of [undefined, null, 'far', {}, { ...size, x: '1', y: 2 }, { ...size, x: Number.NaN, y: 0 }])
    expect(place(saved)).toEqual({ width: 1280, height: 800, maximized: false })
  expect(placeFor(undefined, () => ({ x: 0, y: 0, width: 1024, height: 740 }))).toMatchObject({
    width: 1024,
    height: 740,
  })
})
