import type { Field } from '../shell/field'
import type { Carried } from './carried'
import { onVerb, onWord, PUBLISH } from './dangers'
import type { Family, ProgramFacts } from './facts'
import { codeBehind } from './interpreted-code'

const INTERPRETER: ProgramFacts = { runs: 'interpreter', carries: pythonCode }
const VERSION_WORDS = ['--version', '-V']
const PIP: ProgramFacts = {
  versionWords: VERSION_WORDS,
  packages: 'installer',
  connects: /^(?:install|download|search)$/,
  foreignText: (line) => /^ (?:search|info|desc)\b/.test(line),
  exactRules: true,
}

/** Python and what comes with it. */
export const PYTHON: Family = {
  'python python3': { ...INTERPRETER, versionWords: VERSION_WORDS },
  '^(?:python[\\d.]*|pypy\\d*)$': INTERPRETER,
  'pip pip3': PIP,
  '^pip[\\d.]*$': { packages: 'installer' },
  'pipx conda': { packages: 'installer', exactRules: true },
  uv: { packages: 'installer', exactRules: true, danger: onVerb(/^publish$/, PUBLISH) },
  uvx: { packages: 'once', exactRules: true, connects: /^.+$/ },
  'poetry pdm': { packages: 'installer', exactRules: true, danger: onWord(/^publish$/, PUBLISH) },
  hatch: { exactRules: true, danger: onWord(/^publish$/, PUBLISH) },
  flit: { danger: onWord(/^publish$/, PUBLISH) },
  twine: { danger: onWord(/^upload$/, PUBLISH) },
  rye: { exactRules: true },
  'pytest tox nox': { runsProject: true },
}

const inlineCode = codeBehind(/^-[A-Za-z]*c(.*)$/s)

/** `python -m http.server` is a program of that name. */
function pythonCode(args: readonly Field[]): Carried[] {
  const module = args.findIndex((field) => field.text === '-m')
  return module >= 0 ? [{ kind: 'argv', fields: args.slice(module + 1) }] : inlineCode(args)
}
