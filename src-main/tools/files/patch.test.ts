import { describe, expect, it } from 'vitest'
import { applyHunks } from './apply-hunks'
import { type FilePatch, PatchError, parsePatch } from './patch'

const envelope = (...lines: string[]) => ['*** Begin Patch', ...lines, '*** End Patch'].join('\n')

function update(text: string, ...lines: string[]): string {
  const [file] = parsePatch(envelope('*** Update File: f', ...lines)) as [Extract<FilePatch, { kind: 'update' }>]
  return applyHunks('f', text, file.hunks)
}

const lines = (...rows: string[]) => rows.map((row) => `${row}\n`).join('')

describe('parse', () => {
  it('reads every kind of section, with or without blank lines between them', () => {
    const patch = envelope(
      '*** Add File: new.go',
      '+package main',
      '+',
      '+func main() {}',
      '',
      '*** Update File: old.go',
      '*** Move to: lib/old.go',
      '@@ func a() { @@',
      ' unchanged',
      '-old',
      '+new',
      '',
      '*** Delete File: gone.go',
    )
    expect(parsePatch(patch)).toEqual([
      { kind: 'add', path: 'new.go', text: 'package main\n\nfunc main() {}\n' },
      {
        kind: 'update',
        path: 'old.go',
        moveTo: 'lib/old.go',
        hunks: [
          {
            patchLine: 9,
            anchors: ['func a() {'],
            startHint: null,
            lines: [
              { kind: 'keep', text: 'unchanged' },
              { kind: 'remove', text: 'old' },
              { kind: 'add', text: 'new' },
            ],
            atEnd: false,
          },
        ],
      },
      { kind: 'delete', path: 'gone.go' },
    ])
  })

  it('takes line ends of Windows, and a file that is only moved', () => {
    const patch = envelope('*** Update File: a', '*** Move to: b').replaceAll('\n', '\r\n')
    expect(parsePatch(patch)).toEqual([{ kind: 'update', path: 'a', moveTo: 'b', hunks: [] }])
  })

  it.each([
    ['', 'Line 1 of the patch: A patch begins'],
    ['*** Begin Patch\n*** Delete File: a', 'Line 2 of the patch: A patch ends'],
    [envelope(), 'names no file'],
    [envelope('*** Rename File: a'), 'Line 2 of the patch: expected'],
    [envelope('*** Add File: a', 'text'), 'Line 3 of the patch: lines of a new file begin with "+"'],
    [envelope('*** Delete File: a', '-x'), 'Line 3 of the patch: nothing may follow'],
    [envelope('*** Update File: a'), 'no change is given for a'],
    [envelope('*** Update File: a', '@@', 'x'), 'Line 4 of the patch: lines of a change begin'],
    [envelope('*** Update File: a', '@@', ' x'), 'Line 3 of the patch: this hunk changes nothing'],
  ])('says what is wrong with %j', (patch, message) => {
    expect(() => parsePatch(patch)).toThrow(PatchError)
    expect(() => parsePatch(patch)).toThrow(message)
  })
})

describe('apply', () => {
  it('changes lines between their context', () => {
    expect(update(lines('a', 'b', 'c'), '@@', ' a', '-b', '+B', '+B2', ' c')).toBe(lines('a', 'B', 'B2', 'c'))
  })

  it('applies several hunks to one file', () => {
    expect(update(lines('1', '2', '3', '4', '5'), '@@', '-1', '+one', '@@', ' 4', '-5', '+five')).toBe(
      lines('one', '2', '3', '4', 'five'),
    )
  })

  it('finds the place by an anchor', () => {
    const text = lines('def a():', '  return 1', 'def b():', '  return 1')
    expect(update(text, '@@ def b():', '-  return 1', '+  return 2')).toBe(
      lines('def a():', '  return 1', 'def b():', '  return 2'),
    )
  })

  it('narrows the place by several anchors', () => {
    const text = lines('class A', ' def f', '  x', 'class B', ' def f', '  x')
    expect(update(text, '@@ class B', '@@ def f', '-  x', '+  y')).toBe(
      lines('class A', ' def f', '  x', 'class B', ' def f', '  y'),
    )
  })

  it('takes the nearest of several places to a line number, although the file has shifted', () => {
    const text = lines('x', 'x', 'x', 'x', 'x', 'x')
    expect(update(text, '@@ -4,1 +4,1 @@', '-x', '+y')).toBe(lines('x', 'x', 'x', 'y', 'x', 'x'))
    expect(update(lines('new', 'a', 'b'), '@@ -1,2 +1,2 @@', ' a', '-b', '+B')).toBe(lines('new', 'a', 'B'))
  })

  it('forgives blanks at line ends and keeps what the file has', () => {
    expect(update('a  \n\tb\nc\n', '@@', ' a', ' b', '-c', '+C')).toBe('a  \n\tb\nC\n')
  })

  it('keeps the line ends of the file, and its lack of a last one', () => {
    expect(update('a\r\nb\r\n', '@@', ' a', '-b', '+B', '+C')).toBe('a\r\nB\r\nC\r\n')
    expect(update('a\nb', '@@', ' a', '-b', '+B')).toBe('a\nB')
    expect(update('a\nb', '@@', ' b', '+c')).toBe('a\nb\nc')
  })

  it('adds at the end, after an anchor, and to an empty file', () => {
    expect(update(lines('a'), '@@', '+b')).toBe(lines('a', 'b'))
    expect(update(lines('a', 'b'), '@@ a', '+x')).toBe(lines('a', 'x', 'b'))
    expect(update('', '@@', '+first')).toBe('first\n')
  })

  it('prefers the end of the file where the patch says so', () => {
    expect(update(lines('x', 'y', 'x'), '@@', '-x', '+z', '*** End of File')).toBe(lines('x', 'y', 'z'))
  })

  it('can empty a file', () => {
    expect(update(lines('a', 'b'), '@@', '-a', '-b')).toBe('')
  })

  it('treats replacement patterns as text', () => {
    expect(update(lines('a'), '@@', '-a', "+$& $1 $'")).toBe("$& $1 $'\n")
  })

  it.each([
    [['@@', '-missing', '+x'], 'hunk 1 of 1 for f does not fit: no line reads "missing"'],
    [['@@', ' b', '-x', '+y'], 'line 3 has "c" where "x" was expected'],
    [['@@', ' c', '-d', '+y'], 'line 4 is past the end of the file where "d" was expected'],
    [['@@ nowhere', '-a', '+b'], 'no line reads "nowhere"'],
    [['@@', '-a', '+A', '@@', ' b', '-zz', '+y'], 'hunk 2 of 2 for f does not fit'],
    [['@@', '-b', '+B', '@@', '-b', '+C'], 'changes lines that an earlier hunk has changed'],
  ])('says which hunk does not fit: %j', (hunk, message) => {
    expect(() => update(lines('a', 'b', 'c'), ...hunk)).toThrow(message)
  })

  it('takes large files and large hunks', () => {
    const text = Array.from({ length: 200_000 }, (_, index) => `line ${index}\n`).join('')
    const added = Array.from({ length: 200_000 }, (_, index) => `+new ${index}`).join('\n')
    const changed = update(text, '@@', ' line 199997', '-line 199998', added)
    expect(changed).toMatch(/line 199997\nnew 0\n.*new 199999\nline 199999\n$/s)
  })
})
