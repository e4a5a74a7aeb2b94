import { expect, test } from 'vitest'
import { sharesOf, usualWidths, widthsAfter } from './widths'

test('the sidebar has the same pixels in every window and on every page', () => {
  const wide = sharesOf(usualWidths, { windowWidth: 2480, sidebar: true, deck: true })
  expect(wide).toEqual({ side: 10, main: expect.closeTo(52.2), deck: expect.closeTo(37.8) })
  const page = sharesOf(widthsAfter(usualWidths, wide, 2480), { windowWidth: 1240, sidebar: true, deck: false })
  expect(page).toEqual({ side: 20, main: 80 })
})

test('a column that is not shown keeps its width', () => {
  const hidden = sharesOf(usualWidths, { windowWidth: 1000, sidebar: false, deck: false })
  expect(hidden).toEqual({ side: 0, main: 100 })
  expect(widthsAfter(usualWidths, hidden, 1000)).toEqual(usualWidths)
  expect(widthsAfter(usualWidths, { side: 30, main: 35, deck: 35 }, 1000)).toEqual({ side: 300, deck: 50 })
})
