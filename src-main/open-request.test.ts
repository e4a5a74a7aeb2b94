import { expect, test } from 'vitest'
import { appScheme } from './app-protocol'
import { fromLink, linkScheme, openRequestFrom } from './open-request'

test('a link names a session or a text for the message box', () => {
  expect(fromLink('deckhand-link://session/0b5f-4eae')).toEqual({ kind: 'session', id: '0b5f-4eae' })
  expect(fromLink('deckhand-link://prompt?text=Why%20is%0Athis%3F')).toEqual({ kind: 'prompt', text: 'Why is\nthis?' })
})

test.each([
  'deckhand-link://session/',
  'deckhand-link://session/a/b',
  'deckhand-link://session/a%2Fb',
  'deckhand-link://prompt',
  'deckhand-link://prompt?text=%20%0A',
  'deckhand-link://app/index.html',
  'deckhand-link:',
  'deckhand://session/abc',
  'file:///etc/passwd',
  `deckhand-link://prompt?text=${'x'.repeat(50_000)}`,
])('%s is not followed', (link) => {
  expect(fromLink(link.slice(0, 60_000))).toBeNull()
})

test('what cannot be seen is taken out of a text', () => {
  const hidden = '\u202Eevil\u200B \u{E0041}\u{E0042}\x1b[31mred\0\u00AD\u3164'
  expect(fromLink(`deckhand-link://prompt?text=${encodeURIComponent(hidden)}`)).toEqual({
    kind: 'prompt',
    text: 'evil [31mred',
  })
})

test('the words of a start are searched for a link or a folder', () => {
  expect(openRequestFrom(['deckhand', '--log-level=3'], '/w')).toBeNull()
  expect(openRequestFrom(['deckhand', '--', 'deckhand-link://session/a'], '/w')).toEqual({ kind: 'session', id: 'a' })
  expect(openRequestFrom(['deckhand', '--open', 'a b'], '/w')).toEqual({ kind: 'folder', path: '/w/a b' })
  expect(openRequestFrom(['deckhand', '--open=/x/'], '/w')).toEqual({ kind: 'folder', path: '/x' })
  expect(openRequestFrom(['deckhand', '--open'], '/w')).toBeNull()
})

test('links have a scheme of their own', () => {
  expect(linkScheme).not.toBe(appScheme)
})
