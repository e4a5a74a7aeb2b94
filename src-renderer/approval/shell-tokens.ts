/**
 * The kind of a piece of a command, for coloring only; what a command may do is decided by a real grammar elsewhere.
 */
type ShellTokenKind = 'program' | 'keyword' | 'flag' | 'text' | 'string' | 'variable' | 'operator' | 'comment' | 'space'

interface ShellToken {
  kind: ShellTokenKind
  text: string
}

const KEYWORDS = new Set('if then else elif fi for while until do done case esac in function select time !'.split(' '))

/** Tried in this order; sticky, so that each matches exactly at the current position or not at all. */
const PATTERNS: [Exclude<ShellTokenKind, 'program' | 'keyword' | 'flag'>, RegExp][] = [
  ['space', /(?:[^\S\n]|\\\n)+/y],
  ['operator', /\n|\$\(\(?|&&|\|\||;;&?|\|&|[;|&(){}]|\d*(?:<<<|<<-?|&>>?|>>|>&|<&|<>|>\||[<>])(?:&?\d|-(?!\S))?/y],
  ['comment', /#[^\n]*/y],
  ['string', /\$?'(?:[^'\\]|\\[\s\S])*'|'[^']*'?|\$?"(?:[^"\\]|\\[\s\S])*"?|`[^`]*`?/y],
  ['variable', /\$(?:\{[^}]*\}?|[A-Za-z_]\w*|[0-9@*#?$!-])/y],
  ['text', /(?:\\[\s\S]|[^\s\\;&|(){}<>'"`$])+|[\s\S]/y],
]

/** Splits a command into colored pieces. Every character is returned exactly once, however broken the command is. */
export function shellTokens(command: string): ShellToken[] {
  const tokens: ShellToken[] = []
  let at = 0
  /** The next word is the name of a program. */
  let expectsProgram = true
  let inWord = false
  while (at < command.length) {
    const [kind, text] = match(command, at, inWord)
    at += text.length
    if (kind === 'space' || kind === 'comment') inWord = false
    else if (kind === 'operator') {
      inWord = false
      if (!/[<>]/.test(text)) expectsProgram = true
    } else {
      const starts = !inWord
      inWord = true
      const named = kind === 'text' ? wordKind(text, starts, expectsProgram) : kind
      if (named === 'program' || (expectsProgram && starts && named !== 'keyword' && !isAssignment(text)))
        expectsProgram = false
      tokens.push({ kind: named, text })
      continue
    }
    tokens.push({ kind, text })
  }
  return tokens
}

function match(command: string, at: number, inWord: boolean): [ShellTokenKind, string] {
  for (const [kind, pattern] of PATTERNS) {
    // A hash inside a word is just a character.
    if (kind === 'comment' && inWord) continue
    pattern.lastIndex = at
    const found = pattern.exec(command)
    if (found?.[0]) return [kind, found[0]]
  }
  return ['text', command.charAt(at)]
}

function wordKind(text: string, starts: boolean, expectsProgram: boolean): ShellTokenKind {
  if (!starts) return 'text'
  if (expectsProgram && isAssignment(text)) return 'variable'
  if (expectsProgram) return KEYWORDS.has(text) ? 'keyword' : 'program'
  return text.startsWith('-') ? 'flag' : 'text'
}

const isAssignment = (text: string) => /^[A-Za-z_]\w*\+?=/.test(text)
