import type { Danger } from '../finding'
import { inWorkspace, isInsideAny } from '../paths/paths'
import { protectedReason } from '../paths/protected-paths'
import { isDevice, type Vital } from '../paths/vital-paths'
import type { Field } from '../shell/field'
import { possiblePaths, vitalTarget } from '../shell/word-paths'
import { operandsOf, POWER } from './dangers'
import type { DangerCheck, Standing } from './facts'

/** Operands whose loss would be a disaster, with what happens to them. */
export function vitalOperands(operands: readonly Field[], verb: string, { cwds, places }: Standing): Danger | null {
  for (const operand of operands) {
    const vital = vitalTarget(operand, cwds, places)
    if (vital !== null) return { word: 'delete', reason: `${verb} ${vital.what}` }
  }
  return null
}

/** Without `-r` only single files go; those of the system and of repositories still matter. */
const VITAL_FILES: ReadonlySet<Vital['kind']> = new Set(['file system', 'workspace', 'history', 'system'])

export const deleteCheck: DangerCheck = (args, words, standing) => {
  const end = words.indexOf('--')
  const options = end < 0 ? words : words.slice(0, end)
  // GNU takes `--rec` for `--recursive`.
  const recursive = options.some(
    (word) => /^-[A-Za-z]*[rR]/.test(word) || /^--r(?:e|$)/.test(word) || word === '--no-preserve-root',
  )
  const operands = operandsOf(args)
  if (recursive) return vitalOperands(operands, 'deletes', standing) ?? allWritten(args, standing)
  for (const operand of operands) {
    const vital = vitalTarget(operand, standing.cwds, standing.places)
    if (vital !== null && VITAL_FILES.has(vital.kind)) return { word: 'delete', reason: `deletes from ${vital.what}` }
  }
  return allWritten(args, standing)
}

/** Writing to a device, to something of the app's own, or to a file that decides what runs later. */
export function writtenPaths(fields: readonly Field[], { cwds, places }: Standing): Danger | null {
  for (const each of fields) {
    for (const path of possiblePaths(each, cwds, places)) {
      if (isDevice(path)) return { word: 'disk', reason: `writes to the device ${path}` }
      if (/^\/proc\/sysrq-trigger$|^\/sys\/power\//.test(path)) return POWER
      if (/^\/dev\//.test(path)) continue
      if (isInsideAny(path, places.own))
        return { word: 'settings', reason: `changes ${path}, which belongs to Deckhand itself` }
      const protection = protectedReason(inWorkspace(path, places))
      if (protection !== null) return { word: 'config', reason: `changes ${path}: ${protection}` }
    }
  }
  return null
}

export const allWritten = (args: readonly Field[], standing: Standing): Danger | null =>
  writtenPaths(operandsOf(args), standing)

/** The target, and what it would be called when the target is a folder. */
export function lastWritten(args: readonly Field[], standing: Standing): Danger | null {
  const operands = operandsOf(args)
  const directory = [
    ...valuesAfter(args, /^(?:-t|--target-directory)$/),
    ...args
      .filter(({ text }) => text.startsWith('--target-directory='))
      .map((each) => ({ ...each, text: each.text.slice(19) })),
  ]
  const target = directory[0] ?? operands.at(-1)
  if (!target) return null
  const sources = directory.length > 0 ? operands : operands.slice(0, -1)
  const inside = sources.map((source) => ({
    ...target,
    text: `${target.text.replace(/\/+$/, '')}/${source.text.replace(/\/+$/, '').split('/').at(-1) ?? ''}`,
  }))
  return writtenPaths([target, ...inside], standing)
}

export const valuesAfter = (args: readonly Field[], option: RegExp): Field[] =>
  args.filter((_, index) => index > 0 && option.test(args[index - 1]?.text ?? ''))

/** Programs that change files in place when told so by `-i`. */
export const inPlaceCheck: DangerCheck = (args, words, standing) =>
  words.some((word) => /^(?:-[A-Za-z0-9]*i|--in)/.test(word)) ? allWritten(args, standing) : null
