import { describe, expect, it } from 'vitest'
import { createPlainText, plainText } from './plain-text'

describe('plainText', () => {
  it.each([
    ['plain lines stay', 'one\ntwo\n', 'one\ntwo\n'],
    ['terminal line ends', 'one\r\ntwo\r\nthree', 'one\ntwo\nthree'],
    ['colours go', '\x1b[1;31mred\x1b[0m and \x1b[38;2;1;2;3mmore\x1b[m\r\n', 'red and more\n'],
    ['a progress bar leaves its last state', '10%\r 50%\r100%\n', '100%\n'],
    ['a shorter overwrite leaves the rest, as on a screen', 'abcdef\rXY\n', 'XYcdef\n'],
    ['erase to the end of the line', 'downloading…\r\x1b[Kdone\n', 'done\n'],
    ['erase the whole line', 'old text\x1b[2K\rnew\n', 'new\n'],
    ['backspaces', 'helo\b\blo!\n', 'helo!\n'],
    ['overstrike', 'a\b\b\bb', 'b'],
    ['column moves', 'abc\x1b[1Gx\x1b[2Cy\n', 'xbcy\n'],
    ['titles and hyperlinks go', '\x1b]0;title\x07a\x1b]8;;https://e.test\x1b\\b\x1b]8;;\x1b\\c\n', 'abc\n'],
    ['device strings go', '\x1bP$q;id\n\x1b\\x\x1b_G;AAAA\x1b\\y\n', 'xy\n'],
    ['lines above are not rewritten', 'safe\n\x1b[1A\x1b[2Kfake\n', 'safe\nfake\n'],
    ['eight-bit controls', '\u009b31mred\u009b0m\n', 'red\n'],
    ['an unfinished sequence at the end', 'text\x1b[3', 'text'],
    ['tabs stay, other controls go', 'a\tb\x00\x07c\n', 'a\tbc\n'],
    ['wide characters', '漢字😀\rx\n', 'x字😀\n'],
  ])('%s', (_name, input, expected) => {
    expect(plainText(input)).toBe(expected)
  })

  it('gives the same result however the input is cut', () => {
    const input = 'a\r\n\x1b[31mred\x1b[0m 10%\r20%\r\n\x1b]0;t\x1b\\漢字\x1bP1\x1b\\end\b\bX\r\n\x1b]2;u\x07tail'
    const whole = plainText(input)
    for (let cut = 1; cut < input.length; cut++) {
      const plain = createPlainText()
      expect(plain.push(input.slice(0, cut)) + plain.push(input.slice(cut)) + plain.end()).toBe(whole)
    }
    const plain = createPlainText()
    expect([...input].map((char) => plain.push(char)).join('') + plain.end()).toBe(whole)
  })

  it('does not swallow what follows a sequence that never ends', () => {
    const plain = createPlainText()
    let text = plain.push('\x1b]2;')
    for (let i = 0; i < 20; i++) text += plain.push(`${'x'.repeat(999)}\n`)
    text += plain.push('after\n') + plain.end()
    expect(text).toContain('after\n')
  })

  it.each([
    ['one long line', 'x'.repeat(100)],
    ['carriage returns without line breaks', 'progress 12%\r'],
    ['escape sequences without line breaks', '\x1b[32mx\x1b[0m'],
    ['unfinished strings', '\x1b]2;abc'],
    ['far moves', '\x1b[999999999Cx\r'],
  ])('takes megabytes of %s in linear time', (_name, piece) => {
    const plain = createPlainText()
    const chunk = piece.repeat(Math.ceil(65_536 / piece.length))
    let chars = 0
    for (let i = 0; i < 64; i++) chars += plain.push(chunk).length
    chars += plain.end().length
    expect(chars).toBeLessThanOrEqual(chunk.length * 65)
  })
})
