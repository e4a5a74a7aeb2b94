import { expect, test } from 'vitest'
import { freePlace, overlap } from './free-place'

const window = { width: 1000, height: 600 }
const size = { width: 300, height: 60 }

test('nothing in the way: the lower right corner', () => {
  expect(freePlace(size, window, [])).toEqual({ left: 684, top: 524, covered: 0 })
})

test('above a bar of buttons', () => {
  const bar = { left: 600, top: 540, width: 400, height: 60 }
  const place = freePlace(size, window, [bar])
  expect(place).toMatchObject({ left: 684, covered: 0 })
  expect(place.top).toBeGreaterThan(540 - 60 - 16)
  expect(overlap({ ...place, ...size }, bar)).toBe(0)
})

test('as the browser measures it, with sides that are no properties of its own', () => {
  class Measured {
    get width() {
      return size.width
    }
    get height() {
      return size.height
    }
  }
  const bar = { left: 600, top: 540, width: 400, height: 60 }
  expect(freePlace(new Measured(), window, [bar])).toEqual(freePlace(size, window, [bar]))
})

test('beside a column that is full of them', () => {
  const column = { left: 660, top: 0, width: 340, height: 600 }
  expect(freePlace(size, window, [column])).toMatchObject({ left: 350, top: 524, covered: 0 })
})

test('where everything is taken, what covers the least', () => {
  const all = { left: 0, top: 0, width: 1000, height: 600 }
  const many = { left: 300, top: 100, width: 700, height: 500 }
  const place = freePlace(size, window, [all, many])
  expect(overlap({ ...place, ...size }, many)).toBe(0)
})
