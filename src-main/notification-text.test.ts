import { expect, test } from 'vitest'
import { notificationText } from './notification-text'

test('a notification holds no markup, nothing unseen and not too much', () => {
  expect(notificationText('<a href=file:///>x</a> &lt;b&gt; <img src="https://evil.test">')).not.toMatch(/[<>&]/)
  expect(notificationText('ls\n\u202Etxt\u0007')).toBe('ls txt ')
  expect(notificationText('x'.repeat(5000))).toHaveLength(400)
  expect(notificationText('npm test')).toBe('npm test')
})
