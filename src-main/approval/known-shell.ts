import { existsSync } from 'node:fs'
import type { ShellPlan } from './shell/plan'

/**
 * The shell for commands that run without a question. The gate reads commands as bash does, so they must not be run by
 * another shell, or by one in which the user's options, functions or aliases change their meaning.
 */
const PLACES = [
  '/bin/bash',
  '/usr/bin/bash',
  '/usr/local/bin/bash',
  '/opt/homebrew/bin/bash',
  '/run/current-system/sw/bin/bash',
]

/** `null` where there is no bash: then only what every shell reads alike may run without a question. */
export const knownShell = (isThere: (path: string) => boolean = existsSync): string | null =>
  PLACES.find((place) => isThere(place)) ?? null

/**
 * The argv that runs a command without any start-up file. `-p` makes bash ignore BASH_ENV, SHELLOPTS, BASHOPTS,
 * GLOBIGNORE, CDPATH and functions in the environment.
 */
export function inKnownShell(command: string): readonly [string, ...string[]] {
  const shell = knownShell()
  return shell === null ? ['/bin/sh', '-c', command] : [shell, '--norc', '--noprofile', '-p', '-c', command]
}

/**
 * The same as a command for a login shell: it keeps the variables of the user's start-up files, and nothing else of them.
 * Variables that the gate relies on are set once more, since those files may have set them otherwise.
 */
export function throughLoginShell(command: string, env: Readonly<Record<string, string>> = {}): string {
  const set = Object.entries(env).map(([name, value]) => `${name}=${quoted(value)} `)
  // No setting can turn off the program that this one names.
  return `unset GIT_EXTERNAL_DIFF;${set.join('')}exec ${inKnownShell(command).map(quoted).join(' ')}`
}

/** What the shells of this world read differently, in words that follow "because"; `null` for a plain command. */
export function shellDifference(text: string, { invocations }: ShellPlan): string | null {
  const operators = invocations.flatMap(({ redirects }) => redirects.map(({ operator }) => operator))
  const odd = operators.find((operator) => /^(?:&>>?|<<<)$/.test(operator))
  if (odd !== undefined) return `shells read ${odd} differently`
  if (/<\d*-\d*>/.test(text)) return 'some shells take <1-9> for a pattern'
  const deep = invocations.some(({ fields }) =>
    fields.some(({ pattern, text: word }) => pattern && word.includes('**')),
  )
  return deep ? 'some shells go through every folder for **' : null
}

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`
