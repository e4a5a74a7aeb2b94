const ESC = '\x1b'

/** Keys by tmux's names, as a terminal of type xterm sends them. */
const named = new Map<string, string>([
  ['enter', '\r'],
  ['return', '\r'],
  ['tab', '\t'],
  ['btab', `${ESC}[Z`],
  ['space', ' '],
  ['escape', ESC],
  ['esc', ESC],
  ['bspace', '\x7f'],
  ['backspace', '\x7f'],
  ['delete', `${ESC}[3~`],
  ['dc', `${ESC}[3~`],
  ['insert', `${ESC}[2~`],
  ['ic', `${ESC}[2~`],
  ['pageup', `${ESC}[5~`],
  ['ppage', `${ESC}[5~`],
  ['pgup', `${ESC}[5~`],
  ['pagedown', `${ESC}[6~`],
  ['npage', `${ESC}[6~`],
  ['pgdn', `${ESC}[6~`],
  ['f1', `${ESC}OP`],
  ['f2', `${ESC}OQ`],
  ['f3', `${ESC}OR`],
  ['f4', `${ESC}OS`],
  ['f5', `${ESC}[15~`],
  ['f6', `${ESC}[17~`],
  ['f7', `${ESC}[18~`],
  ['f8', `${ESC}[19~`],
  ['f9', `${ESC}[20~`],
  ['f10', `${ESC}[21~`],
  ['f11', `${ESC}[23~`],
  ['f12', `${ESC}[24~`],
])

/** The keys that take modifiers inside their sequence: `CSI 1 ; modifier final`. */
const cursor = new Map<string, string>([
  ['up', 'A'],
  ['down', 'B'],
  ['right', 'C'],
  ['left', 'D'],
  ['home', 'H'],
  ['end', 'F'],
])

export class UnknownKey extends Error {
  constructor(readonly key: string) {
    super(`Unknown key ${JSON.stringify(key)}; use names such as Enter, C-c, M-x, Up, F5, or a single character`)
    this.name = 'UnknownKey'
  }
}

/** The characters that a key sends: `C-c`, `M-Left`, `Enter`, `F5`, or any single character. Throws `UnknownKey`. */
export function keySequence(key: string): string {
  const parsed = /^((?:(?:C|M|S)-|\^(?=.))*)(.+)$/su.exec(key)
  if (!parsed) throw new UnknownKey(key)
  const [, prefix = '', base = ''] = parsed
  // A lone modifier such as "C-" has nothing to modify, and "^" by itself is a character.
  if (prefix === '') return plain(key, base)
  const control = /C-|\^/.test(prefix)
  const meta = prefix.includes('M-')
  const shift = prefix.includes('S-')

  const final = cursor.get(base.toLowerCase())
  if (final) return `${ESC}[1;${1 + (shift ? 1 : 0) + (meta ? 2 : 0) + (control ? 4 : 0)}${final}`
  if (shift && base.toLowerCase() === 'tab') return `${ESC}[Z`
  const character = shift ? plain(key, base).toUpperCase() : plain(key, base)
  return (meta ? ESC : '') + (control ? controlled(key, character) : character)
}

function plain(key: string, base: string): string {
  const final = cursor.get(base.toLowerCase())
  if (final) return `${ESC}[${final}`
  const sequence = named.get(base.toLowerCase())
  if (sequence !== undefined) return sequence
  if ([...base].length === 1) return base
  throw new UnknownKey(key)
}

function controlled(key: string, character: string): string {
  if (character === ' ' || character === '@') return '\0'
  if (character === '?') return '\x7f'
  const code = character.toUpperCase().charCodeAt(0)
  if (character.length !== 1 || code < 0x41 || code > 0x5f) throw new UnknownKey(key)
  return String.fromCharCode(code & 0x1f)
}
