import { isAbsolute, join, normalize } from 'node:path'
import type { ImportTool } from '../../src-preload/contract/moving-in'
import { exactOnly } from '../approval/rules/rules'
import { type Draft, not, ready } from './draft'

interface RuleSource {
  tool: ImportTool
  from: string
  /** As it stands in the other program's file. */
  written: string
  verdict: 'allow' | 'deny' | 'ask'
}

const asksAnyway = 'Here everything asks that no rule or mode allows.'

/** A permission for commands. `open`: more words may follow. */
export function commandRule(source: RuleSource, words: readonly string[] | null, open: boolean): Draft {
  const wish = wishOf(source)
  if (source.verdict === 'ask') return not(wish, asksAnyway)
  if (words === null || words.length === 0)
    return not(wish, 'It speaks of every command, or of a pattern that cannot be read as words. Choose a mode instead.')
  const [program = ''] = words
  const line = words.join(' ')
  if (source.verdict === 'deny') {
    const match = { kind: open ? ('prefix' as const) : ('argv' as const), argv: [...words] }
    const sentence = `Never allow \`${line}\`${open ? ' with whatever follows' : ''}`
    return ready(wish, sentence, { kind: 'rule', verdict: 'deny', action: 'exec', match, sentence })
  }
  const prefix = open && words.length > 1 && !exactOnly(program)
  const match = { kind: prefix ? ('prefix' as const) : ('argv' as const), argv: [...words] }
  const sentence = prefix
    ? `Always allow \`${line}\` with any arguments but no extra options, everywhere`
    : `Always allow \`${line}\` everywhere`
  const note =
    open && !prefix ? 'Only exactly these words: what follows them can be another program or other code.' : ''
  return ready({ ...wish, note }, sentence, { kind: 'rule', verdict: 'allow', action: 'exec', match, sentence })
}

/** A permission for files below a path. `path`: absolute, or from the home folder. */
export function pathRule(source: RuleSource, action: 'read' | 'write', path: string, home: string): Draft {
  const wish = wishOf(source)
  if (source.verdict === 'ask') return not(wish, asksAnyway)
  const recursive = /\/\*\*?$/.test(path)
  const plain = path.replace(/\/\*\*?$/, '')
  const absolute = normalize(plain.startsWith('~/') ? join(home, plain.slice(2)) : plain)
  if (!isAbsolute(absolute) || /[*?[{]/.test(plain) || absolute === '/' || absolute === home)
    return not(
      wish,
      'It is relative to a project, a pattern, or a whole disk. Here a rule names one file or one folder.',
    )
  const what = `${action === 'read' ? 'reading' : 'changing'} ${recursive ? `everything in ${plain}` : plain}`
  const sentence = source.verdict === 'deny' ? `Never allow ${what}` : `Always allow ${what} everywhere`
  const { verdict } = source
  return ready(wish, sentence, {
    kind: 'rule',
    verdict,
    action,
    match: { kind: 'path', path: absolute, recursive },
    sentence,
  })
}

export function hostRule(source: RuleSource, host: string): Draft {
  const wish = wishOf(source)
  if (source.verdict === 'ask') return not(wish, asksAnyway)
  if (!/^(\*\.)?[\w-]+(\.[\w-]+)+$/.test(host)) return not(wish, 'It names no host.')
  const { verdict } = source
  const sentence = `${verdict === 'deny' ? 'Never allow' : 'Always allow'} connections to ${host} everywhere`
  return ready(wish, sentence, { kind: 'rule', verdict, action: 'network', match: { kind: 'host', host }, sentence })
}

export const otherRule = (source: RuleSource, why: string): Draft => not(wishOf(source), why)

const wishOf = ({ tool, from, written, verdict }: RuleSource) => ({
  tool,
  kind: 'rule' as const,
  name: `${verdict} ${written}`,
  from,
  detail: written,
})

/** Plain words of a command; null where anything needs a shell to be understood. */
export function plainWords(text: string): string[] | null {
  const words = text.trim().split(/\s+/).filter(Boolean)
  return words.length > 0 && words.every((word) => /^[\w@%+=:,./-]+$/.test(word)) ? words : null
}

/** `npm run test:*`, `git *` or `git status`. */
export function readPattern(pattern: string): { words: string[] | null; open: boolean } {
  const open = /(?::\*| \*)$/.test(pattern)
  return { words: plainWords(pattern.replace(/(?::\*| \*)$/, '')), open }
}
