import type { Word } from 'unbash'

/** Spellings that other shells, or an interactive one, read differently. */
export function strangeSpelling(word: Word): string | null {
  const text = word.text
  if (text.startsWith('^') || text.startsWith('=')) return `begins with ${text[0]}, which some shells expand`
  // A `$` at the end of a line belongs to what the next one begins with.
  if (text.includes('\\\n')) return 'breaks a line in the middle of a word'
  if (/^~[^/]*['"]/.test(text)) return 'puts quotes behind a tilde'
  // Braces come before everything else, also where they seem to stand inside a pattern.
  if (/\{[^}]*(?:,|\.\.)/.test(text) && /\{[^}]*(?:,|\.\.)/.test(unquoted(text))) return 'uses braces'
  if (!/[!\\]/.test(text)) return null
  if (text.endsWith('\\')) return 'ends with a backslash'
  const bare = text.replace(/'[^']*'/g, '')
  // fish reads \x2d as a dash where others read x2d.
  if (/\\[A-Za-z0-9]/.test(bare.replace(/"(?:[^"\\]|\\.)*"/gs, '')))
    return 'puts a backslash before a letter, which shells read differently'
  return /(?:^|[^\\])![\w!$?{(-]/.test(bare) ? 'refers to the history of the shell' : null
}

const unquoted = (text: string): string => text.replace(/'[^']*'|"(?:[^"\\]|\\.)*"/gs, '')
