import { canonicalPath, isInsideAny, lexicalPath } from '../paths/paths'
import type { Field } from '../shell/field'
import { type Carried, joined } from './carried'
import { type Doubt, doubt, type Family, first, type ProgramFacts, type ReadingContext } from './facts'
import { ECHO, PRINTF, testReading } from './shell-builtins'

const SHELL: ProgramFacts = { runs: 'shell', carries: shellCode }
const ANY_WORDS: ProgramFacts = { builtin: true, reads: { operands: 'text' } }

/** Shells, and what every shell carries out itself. */
export const SHELLS: Family = {
  'sh dash ksh mksh ash fish rbash csh tcsh': SHELL,
  bash: { ...SHELL, versionWords: ['--version'], quietEnvironment: { BASH_ENV: '', ENV: '' } },
  zsh: { ...SHELL, versionWords: ['--version'] },
  echo: ECHO,
  printf: PRINTF,
  'test [': { builtin: true, reads: testReading, opens: 'none' },
  'true false': { ...ANY_WORDS, opens: 'none' },
  ':': ANY_WORDS,
  exit: {
    builtin: true,
    // Some shells calculate the number, which may run commands.
    reads: (words) =>
      words.length === 0 || (words.length === 1 && /^\d{1,3}$/.test(words[0] ?? ''))
        ? null
        : doubt('program', 'exit has an operand that is no number'),
    opens: 'none',
  },
  type: { builtin: true, reads: { short: 'afptP', operands: 'text' }, opens: 'none' },
  pwd: {
    builtin: true,
    reads: { short: 'LP', operands: 'none' },
    output: {
      substituted: (words, { cwds }) => (words.length === 0 && cwds.length === 1 ? (cwds[0] ?? null) : null),
    },
  },
  cd: { builtin: true, reads: cdReading, opens: 'none', exactRules: true, quietEnvironment: { CDPATH: '' } },
  set: {
    builtin: true,
    reads: (words) =>
      /^(?:-[eux]+|-[eux]*o pipefail|-o errexit|-o nounset)$/.test(words.join(' '))
        ? null
        : doubt('program', 'set changes the shell, or prints every variable'),
    exactRules: true,
  },
  eval: {
    carries: (args) => [{ kind: 'script', field: joined(args) }],
    purpose: 'runs text as a command',
    exactRules: true,
  },
  'source .': { runs: 'sourced', purpose: 'runs a script in the shell itself', exactRules: true },
  trap: { carries: ([field]) => (field ? [{ kind: 'script', field }] : []), exactRules: true },
  alias: {
    carries: (args) =>
      args
        .filter(({ text }) => text.includes('='))
        .map((field) => ({
          kind: 'script',
          field: { ...field, text: field.text.slice(field.text.indexOf('=') + 1) },
        })),
    exactRules: true,
  },
  export: { purpose: 'sets variables', exactRules: true },
}

/** What `sh -c` is given, with its parameters. */
function shellCode(args: readonly Field[]): Carried[] {
  for (let index = 0; index < args.length; index++) {
    const text = args[index]?.text ?? ''
    if (/^(?:[-+][oO]|--rcfile|--init-file)$/.test(text)) index++
    else if (!/^[-+]./.test(text)) return []
    else if (/^-[A-Za-z]*c/.test(text)) {
      const rest = args.slice(index + 1)
      const [script, ...parameters] = rest.slice(
        Math.max(
          0,
          rest.findIndex((next) => !/^[-+]./.test(next.text)),
        ),
      )
      return script ? [{ kind: 'script', field: script, parameters }] : []
    }
  }
  return []
}

function cdReading(words: readonly string[], { cwds, places }: ReadingContext): Doubt | null {
  const operands = words.filter((word) => word !== '--')
  const [target] = operands
  if (operands.length !== 1 || target === undefined || target.startsWith('-'))
    return doubt('unclear', 'it changes to a folder that is not named')
  return first(cwds, (cwd) => {
    if (cwd === null) return doubt('unclear', 'it is not clear which folder it would be in')
    const canonical = canonicalPath(target, cwd, places.files)
    if (canonical === null || !isInsideAny(canonical, places.folders))
      return doubt('outside', `it changes to a folder outside the workspace: ${target}`)
    // The shell remembers the way it came, programs do not: after a link, `..` means two things.
    return canonical === lexicalPath(target, cwd) ? null : doubt('unclear', `${target} leads through a link`)
  })
}
