import xterm from '@xterm/headless'
import { describe, expect, it } from 'vitest'
import { createSanitiser } from './sanitise'

const clean = (text: string, live = true): string => createSanitiser({ rows: () => 30, live }).push(text)

describe('what draws passes untouched', () => {
  it.each([
    ['text', 'plain text\r\nand more\ttabs\b\b'],
    ['other scripts', '漢字 😀 café ñ\n'],
    ['colours', '\x1b[1;31mred\x1b[0m\x1b[38;2;10;20;30mtrue\x1b[48;5;200m256\x1b[4:3m'],
    ['cursor movement', '\x1b[2;5H\x1b[3A\x1b[K\x1b[2J\x1b[s\x1b[u\x1b7\x1b8\x1bM\x1b[2 q'],
    ['full-screen programs', '\x1b[?1049h\x1b[?25l\x1b[1;30r\x1b[?2004h\x1b[?1h\x1b=\x1b[!p\x1bc'],
    ['character sets', '\x1b(0lqk\x1b(B\x1b#8'],
    ['counts within reason', '\x1b[5S\x1b[10L\x1b[30M\x1b[80@\x1b[9999;9999H'],
    ['titles', '\x1b]0;a title\x07\x1b]2;another\x07'],
    ['web links', '\x1b]8;id=x;https://example.test/a?b=c\x07link\x1b]8;;\x07'],
    ['colours of the palette', '\x1b]4;1;rgb:ff/00/00\x07\x1b]11;#102030\x07\x1b]104\x07'],
  ])('%s', (_name, text) => {
    expect(clean(text)).toBe(text)
  })
})

describe('what does not draw goes', () => {
  it.each([
    ['clipboard write', '\x1b]52;c;cm0gLXJmIH4=\x07'],
    ['clipboard read', '\x1b]52;c;?\x07'],
    ['clipboard write of a megabyte', `\x1b]52;c;${'QUFB'.repeat(300_000)}\x07`],
    ['title report', '\x1b[21t'],
    ['window operations', '\x1b[8;500;500t\x1b[2t'],
    ['status string request', '\x1bP$q;id\n\x1b\\'],
    ['terminfo request', '\x1bP+q544e\x1b\\'],
    ['primary, secondary, tertiary attributes', '\x1b[c\x1b[0c\x1b[>c\x1b[=c\x1bZ\u009a'],
    ['status and position reports', '\x1b[5n\x1b[6n\x1b[?6n\x1b[?15n'],
    ['mode requests', '\x1b[?2026$p\x1b[4$p'],
    ['version request', '\x1b[>q\x1b[>0q'],
    ['keyboard protocol', '\x1b[?u\x1b[>1u\x1b[<u\x1b[>4;2m'],
    ['checksum and presentation requests', '\x1b[1;1;1;1;1;1*y\x1b[1$w'],
    ['colour queries', '\x1b]10;?\x07\x1b]11;?\x1b\\\x1b]4;1;?\x07'],
    ['answer back', '\x05'],
    ['file transfer', '\x1b]1337;File=name=eA==;inline=1:AAAA\x07'],
    ['notifications', '\x1b]9;Your password expired\x07\x1b]777;notify;a;b\x07'],
    ['working folder', '\x1b]7;file://evil/..\x07'],
    ['shell integration', '\x1b]633;E;ls;nonce\x07\x1b]133;D;0\x07'],
    ['graphics that name a file', '\x1b_Gf=100,t=f;L2V0Yy9wYXNzd2Q=\x1b\\'],
    ['font', '\x1b]50;#1\x07'],
    ['privacy and start-of-string messages', '\x1b^secret\x1b\\\x1bXstring\x1b\\'],
    ['eight-bit forms', '\u009b6n\u009d52;c;?\u009c\u0090$qm\u009c\u009fGx\u009c'],
    ['printing', '\x1b[5i'],
    ['endless parameters', `\x1b[${'1;'.repeat(500)}m`],
  ])('%s', (_name, text) => {
    expect(clean(`a${text}b`)).toBe('ab')
  })

  it('mouse and focus reports of a program that has ended', () => {
    const text = '\x1b[?1003;1006h\x1b[?1004h\x1b[?25;1000h'
    expect(clean(text)).toBe(text)
    expect(clean(text, false)).toBe('\x1b[?25h')
  })

  it('control characters and length of titles', () => {
    expect(clean('\x1b]0;\nrm -rf ~\n\x07')).toBe('\x1b]0;rm -rf ~\x07')
    expect(clean('\x1b]2;a\u202eb\x07')).toBe('\x1b]2;ab\x07')
    expect(clean(`\x1b]2;${'t'.repeat(1000)}\x07`)).toBe(`\x1b]2;${'t'.repeat(200)}\x07`)
  })

  it.each([
    'javascript:alert(1)',
    'file:///etc/passwd',
    'vscode://x',
    'data:text/html,x',
    `https://e.test/${'a'.repeat(3000)}`,
    'https://e.test/ two',
  ])('links to %s', (uri) => {
    expect(clean(`\x1b]8;;${uri}\x1b\\click\x1b]8;;\x1b\\`)).toBe('\x1b]8;;\x07click\x1b]8;;\x07')
  })

  it.each(['S', 'T', 'L', 'M', 'I', 'Z'])('huge counts of CSI %s', (final) => {
    expect(clean(`\x1b[2147483647${final}`)).toBe(`\x1b[30${final}`)
    expect(clean(`\u009b99999999999999999999${final}`)).toBe(`\x1b[30${final}`)
  })

  it('huge counts of characters and positions', () => {
    expect(clean('\x1b[2147483647b\x1b[2147483647@')).toBe('\x1b[1000b\x1b[1000@')
    expect(clean('\x1b[2147483647;2147483647H')).toBe('\x1b[9999;9999H')
  })
})

describe('broken sequences', () => {
  it('do not swallow what follows', () => {
    expect(clean(`\x1b]2;${'B'.repeat(5000)}\nnext line\n`)).toBe('next line\n')
    expect(clean('\x1b]2;a\x1b]2;b\x07c')).toBe('\x1b]2;a\x07\x1b]2;b\x07c')
    expect(clean('\x1b[3\x1b[31mred')).toBe('\x1b[31mred')
    expect(clean('\x1b[3\x18text')).toBe('text')
    expect(clean('\x1b[31é')).toBe('é')
    expect(clean('\x1bP1;2;3\x18after')).toBe('after')
  })

  it('carry out controls in their midst', () => {
    expect(clean('\x1b[3\n1mred')).toBe('\n\x1b[31mred')
  })

  it('come out the same however they are cut', () => {
    const text =
      'a\x1b[31mb\x1b]0;t\x1b\\c\x1b[99999Sd\x1bP$qm\x1b\\e\x1b]8;;https://e.test\x07f\x1b[6ng\u009b1mh😀\x1b(0i'
    const whole = clean(text)
    for (let cut = 1; cut < text.length; cut++) {
      const sanitiser = createSanitiser({ rows: () => 30, live: true })
      expect(sanitiser.push(text.slice(0, cut)) + sanitiser.push(text.slice(cut))).toBe(whole)
    }
  })
})

describe('a real parser behind it', () => {
  const pieces = [
    '\x1b[',
    '\x1b]',
    '\x1bP',
    '\x1b_',
    '\x1b^',
    '\x1bX',
    '\x1b',
    '\x07',
    '\x1b\\',
    '\u009b',
    '\u009d',
    '\u0090',
    '\u009c',
    '0',
    '9',
    '2147483647',
    '999999',
    ';',
    ':',
    '?',
    '>',
    '!',
    '$',
    ' ',
    '"',
    "'",
    '\n',
    '\r',
    '\b',
    '\t',
    '\x05',
    '\x18',
    'A',
    'H',
    'J',
    'K',
    'L',
    'M',
    'P',
    'S',
    'T',
    'X',
    'Z',
    'I',
    'b',
    'c',
    'h',
    'l',
    'm',
    'n',
    'p',
    'q',
    'r',
    't',
    'u',
    '@',
    '52',
    '8',
    '2',
    '1049',
    '1003',
    'text',
    '漢',
    '😀',
    'https://e.test',
  ]

  it('neither stalls nor answers, whatever comes', async () => {
    let seed = 12345
    const random = (below: number) => {
      seed = (seed * 1103515245 + 12345) % 2147483648
      return Math.floor((seed / 2147483648) * below)
    }
    const terminal = new xterm.Terminal({ cols: 120, rows: 30, scrollback: 10_000, allowProposedApi: true })
    const answers: string[] = []
    terminal.onData((data) => answers.push(data))
    const sanitiser = createSanitiser({ rows: () => terminal.rows, live: true })
    let slowest = 0
    for (let batch = 0; batch < 400; batch++) {
      const start = performance.now()
      for (let i = 0; i < 50; i++) {
        let input = ''
        for (let n = random(12); n >= 0; n--) input += pieces[random(pieces.length)]
        terminal.write(sanitiser.push(input))
      }
      await new Promise<void>((done) => terminal.write('', done))
      slowest = Math.max(slowest, performance.now() - start)
    }
    expect(answers).toEqual([])
    // Unclamped, a single input takes many seconds.
    expect(slowest).toBeLessThan(2000)
  })
})
