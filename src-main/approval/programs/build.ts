import type { BoundContent } from '../../../src-preload/contract/approval'
import type { Places } from '../paths/paths'
import { fileContent } from './bound-files'
import { optionTexts } from './carried'
import { onVerb, onWord, PUBLISH } from './dangers'
import type { DangerCheck, Family, ProgramFacts } from './facts'

const BUILDER: ProgramFacts = { runsProject: true, exactRules: true }

/** The first of these files is what it runs. */
const recipe =
  (...names: string[]) =>
  (_args: readonly string[], cwd: string, places: Places): BoundContent[] =>
    names.flatMap((name) => fileContent(name, cwd, places)).slice(0, 1)

const makefile = recipe('GNUmakefile', 'makefile', 'Makefile')
const publishes: DangerCheck = (_args, words) =>
  words.some((word) => /publish/i.test(word) && !/local/i.test(word)) ? PUBLISH : null

/** Programs that build a project: they run what its files say. */
export const BUILD: Family = {
  make: {
    ...BUILDER,
    versionWords: ['--version', '-v'],
    content: makefile,
    carries: (args) => optionTexts(args, /^(?:SHELL|CC|MAKE)=(.+)$/s),
  },
  gmake: { ...BUILDER, content: makefile },
  just: { ...BUILDER, content: recipe('justfile', 'Justfile', '.justfile') },
  rake: { ...BUILDER, content: recipe('Rakefile', 'rakefile') },
  cmake: { ...BUILDER, versionWords: ['--version'] },
  'ninja task mage bazel mvnw ant sbt': BUILDER,
  'gradle gradlew': { ...BUILDER, danger: publishes },
  mvn: { ...BUILDER, danger: onWord(/^(?:deploy|release:\w+)$/, PUBLISH) },
  goreleaser: { danger: onVerb(/^release$/, PUBLISH) },
  'nix nix-shell mise asdf': { exactRules: true },
}
