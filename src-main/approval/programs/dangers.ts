import type { Danger } from '../finding'
import type { Field } from '../shell/field'
import type { DangerCheck } from './facts'

export const ADMIN: Danger = { word: 'admin', reason: 'runs as administrator (root)' }
export const POWER: Danger = { word: 'power', reason: 'shuts down or restarts the computer' }
export const DISK: Danger = { word: 'disk', reason: 'erases or repartitions a disk' }
export const PUBLISH: Danger = { word: 'publish', reason: 'publishes something publicly' }
export const RUNS_LATER: Danger = { word: 'config', reason: 'changes what runs automatically' }
export const STARTS_LATER: Danger = { word: 'config', reason: 'changes what starts automatically' }
export const READS_PASSWORD: Danger = { word: 'secret', reason: 'reads a password' }

/** Dangerous when its first word is one of these. */
export const onVerb =
  (verbs: RegExp, danger: Danger): DangerCheck =>
  (_args, words) =>
    verbs.test(words[0] ?? '') ? danger : null

/** Dangerous unless its first word is one of these. */
export const unlessVerb =
  (verbs: RegExp, danger: Danger): DangerCheck =>
  (_args, words) =>
    verbs.test(words[0] ?? '') ? null : danger

/** Dangerous when any word is one of these. */
export const onWord =
  (pattern: RegExp, danger: Danger): DangerCheck =>
  (_args, words) =>
    words.some((word) => pattern.test(word)) ? danger : null

/** Dangerous unless one of its words is one of these. */
export const unlessWord =
  (pattern: RegExp, danger: Danger): DangerCheck =>
  (_args, words) =>
    words.some((word) => pattern.test(word)) ? null : danger

/** Prints a key or a password when its words without options, joined, fit. */
export const printsToken =
  (uses: RegExp): DangerCheck =>
  (_args, words) =>
    uses.test(words.filter((word) => !word.startsWith('-')).join(' '))
      ? { word: 'secret', reason: 'prints a key or a password' }
      : null

/** Arguments that are not options. */
export function operandsOf(args: readonly Field[]): Field[] {
  const end = args.findIndex(({ text }) => text === '--')
  const before = end < 0 ? args : args.slice(0, end)
  return [...before.filter(({ text }) => !/^-./.test(text)), ...(end < 0 ? [] : args.slice(end + 1))]
}
