import { onVerb, PUBLISH } from './dangers'
import type { Family, ProgramFacts } from './facts'
import { codeBehind, flagCode } from './interpreted-code'
import { namesProgram } from './project-files'
import { inPlaceCheck } from './written-paths'

const INTERPRETER: ProgramFacts = { runs: 'interpreter', carries: flagCode }
const PHP: ProgramFacts = { runs: 'interpreter', carries: codeBehind(/^-r(.*)$/s) }
const PERL: ProgramFacts = { ...INTERPRETER, danger: inPlaceCheck }
const TOOLCHAIN_FILES = ['rust-toolchain', 'rust-toolchain.toml'].map(namesProgram)
/** Of `cargo`, `gem` and `brew`: what a package's author says of it. */
export const describesPackages = (line: string): boolean => /^ (?:search|info|desc)\b/.test(line)

/** Other languages: their interpreters, compilers and package managers. */
export const LANGUAGES: Family = {
  perl: { ...PERL, versionWords: ['--version', '-v'] },
  ruby: { ...INTERPRETER, versionWords: ['--version', '-v'] },
  php: { ...PHP, versionWords: ['--version', '-v'] },
  '^(?:perl[\\d.]*|ruby[\\d.]*|lua[\\d.]*)$': INTERPRETER,
  '^php[\\d.]*$': PHP,
  'tclsh osascript rscript groovy julia elixir guile racket scala': INTERPRETER,
  swift: { ...INTERPRETER, runsProject: true },
  gem: {
    packages: 'installer',
    exactRules: true,
    danger: onVerb(/^(?:push|yank|owner)$/, PUBLISH),
    foreignText: describesPackages,
  },
  'bundle composer': { packages: 'installer', exactRules: true },
  cargo: {
    versionWords: ['--version', '-V'],
    projectFiles: TOOLCHAIN_FILES,
    packages: 'installer',
    runsProject: true,
    hasVerbs: true,
    danger: onVerb(/^(?:publish|yank|owner|login)$/, PUBLISH),
    connects: /^(?:install|fetch|update|publish|add|search)$/,
    foreignText: describesPackages,
  },
  rustc: { versionWords: ['--version', '-V'], projectFiles: TOOLCHAIN_FILES },
  go: { packages: 'installer', runsProject: true, hasVerbs: true, connects: /^(?:get|install|mod)$/ },
  dotnet: {
    runsProject: true,
    hasVerbs: true,
    danger: (_args, words) => (words[0] === 'nuget' && words[1] === 'push' ? PUBLISH : null),
  },
  nuget: { danger: onVerb(/^push$/, PUBLISH) },
  pod: { danger: onVerb(/^trunk$/, PUBLISH) },
  'java javac': { versionWords: ['--version', '-version'] },
  'gcc g++ cc clang': { versionWords: ['--version'] },
}
