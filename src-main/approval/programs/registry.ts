import { ARCHIVES } from './archives'
import { BUILD } from './build'
import { CONTAINER_PROGRAMS } from './containers'
import { DISKS } from './disks'
import { EDITORS } from './editors'
import type { Family, ProgramFacts } from './facts'
import { FILES } from './files'
import { GIT } from './git'
import { LANGUAGES } from './languages'
import { LISTING } from './listing'
import { NETWORK } from './network'
import { NODE } from './node'
import { PROCESSES } from './processes'
import { PYTHON } from './python'
import { SEARCH } from './search'
import { SERVICES } from './services'
import { SHELLS } from './shells'
import { SYSTEM } from './system'
import { TEXT } from './text'
import { WINDOWS } from './windows'
import { WRAPPERS } from './wrappers'

/** Every program that anything is known of. A new program is an entry in its family; a new family is a line here. */
export const FAMILIES: readonly Family[] = [
  SHELLS,
  WRAPPERS,
  LISTING,
  TEXT,
  SEARCH,
  FILES,
  ARCHIVES,
  GIT,
  NODE,
  PYTHON,
  LANGUAGES,
  BUILD,
  CONTAINER_PROGRAMS,
  SERVICES,
  NETWORK,
  EDITORS,
  PROCESSES,
  SYSTEM,
  DISKS,
  WINDOWS,
]

const byName = new Map<string, ProgramFacts>()
const byPattern: [RegExp, ProgramFacts][] = []
for (const [names, facts] of FAMILIES.flatMap((family) => Object.entries(family))) {
  if (names.startsWith('^')) byPattern.push([new RegExp(names), facts])
  else for (const name of names.split(/\s+/)) byName.set(name, facts)
}

/** What is known of a program of this name; a name in full comes before a pattern. */
export const factsOf = (name: string): ProgramFacts | undefined =>
  byName.get(name) ?? byPattern.find(([pattern]) => pattern.test(name))?.[1]

export const isShell = (name: string): boolean => factsOf(name)?.runs === 'shell'
export const isInterpreter = (name: string): boolean => factsOf(name)?.runs === 'interpreter'

/** Added to the environment of a command of which only some parts are readings: nothing that would hinder the others. */
export const PROTECTIVE_ENVIRONMENT: Readonly<Record<string, string>> = Object.assign(
  {},
  ...[...byName.values()].map((facts) => facts.protectiveEnvironment),
)

/** Added to the environment of a command that only reads. */
export const QUIET_ENVIRONMENT: Readonly<Record<string, string>> = Object.assign(
  { ...PROTECTIVE_ENVIRONMENT },
  ...[...byName.values()].map((facts) => facts.quietEnvironment),
)
