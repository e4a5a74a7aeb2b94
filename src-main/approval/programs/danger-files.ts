import type { Danger } from '../finding'
import { inWorkspace, isInside, isInsideAny } from '../paths/paths'
import { protectedReason } from '../paths/protected-paths'
import { isDevice, possiblePaths, vitalTarget } from '../paths/vital-paths'
import type { Field } from '../shell/field'
import { type DangerCheck, type DangerContext, operandsOf, POWER } from './danger-check'

/** Programs that delete, move, overwrite or open up files. */
export const FILE_CHECKS: readonly (readonly [string, DangerCheck])[] = [
  ['rm', deleteCheck],
  ['rmdir', (args, words, context) => windowsDelete(args, words) ?? deleteCheck(args, words, context)],
  ['unlink', deleteCheck],
  ['srm', deleteCheck],
  ['trash', deleteCheck],
  ['rimraf', (args, words, context) => deleteCheck([field('-r'), ...args], ['-r', ...words], context)],
  ['del-cli', (args, words, context) => deleteCheck([field('-r'), ...args], ['-r', ...words], context)],
  ['del', windowsDelete],
  ['erase', windowsDelete],
  ['rd', windowsDelete],
  ['remove-item', windowsDelete],
  ['find', findCheck],
  [
    'mv',
    (args, _words, context) =>
      vitalOperands(operandsOf(args).slice(0, -1), 'moves away', context) ?? lastWritten(args, context),
  ],
  ['cp', (args, _words, context) => lastWritten(args, context)],
  ['install', (args, _words, context) => lastWritten(args, context)],
  ['ln', (args, _words, context) => lastWritten(args, context)],
  ['tee', (args, _words, context) => allWritten(args, context)],
  ['sponge', (args, _words, context) => allWritten(args, context)],
  ['touch', (args, _words, context) => allWritten(args, context)],
  ['truncate', (args, _words, context) => allWritten(args, context)],
  [
    'shred',
    (args, _words, context) => vitalOperands(operandsOf(args), 'destroys', context) ?? allWritten(args, context),
  ],
  ['sed', inPlaceCheck],
  ['gsed', inPlaceCheck],
  ['perl', inPlaceCheck],
  ['dd', ddCheck],
  ['chmod', permissionCheck],
  ['chown', permissionCheck],
  ['chgrp', permissionCheck],
  ['chattr', permissionCheck],
  ['setfacl', permissionCheck],
  ['icacls', permissionCheck],
  ['takeown', permissionCheck],
  [
    'rsync',
    (args, words, context) =>
      (words.some((word) => /^--del/.test(word))
        ? vitalOperands(operandsOf(args).slice(-1), 'deletes in', context)
        : null) ?? lastWritten(args, context),
  ],
]

const field = (text: string): Field => ({ text, unknown: false, pattern: null })

function vitalOperands(operands: readonly Field[], verb: string, { cwds, places }: DangerContext): Danger | null {
  for (const operand of operands) {
    const reason = vitalTarget(operand, cwds, places)
    if (reason !== null) return { word: 'delete', reason: `${verb} ${reason}` }
  }
  return null
}

function deleteCheck(args: readonly Field[], words: readonly string[], context: DangerContext): Danger | null {
  const end = words.indexOf('--')
  const options = end < 0 ? words : words.slice(0, end)
  // GNU takes `--rec` for `--recursive`.
  const recursive = options.some(
    (word) => /^-[A-Za-z]*[rR]/.test(word) || /^--r(?:e|$)/.test(word) || word === '--no-preserve-root',
  )
  const operands = operandsOf(args)
  if (recursive) return vitalOperands(operands, 'deletes', context) ?? allWritten(args, context)
  for (const operand of operands) {
    // Without -r only single files go; those of the system and of repositories still matter.
    const reason = vitalTarget(operand, context.cwds, context.places)
    if (reason !== null && /system|repository|whole/.test(reason))
      return { word: 'delete', reason: `deletes from ${reason}` }
  }
  return allWritten(args, context)
}

function windowsDelete(_args: readonly Field[], words: readonly string[]): Danger | null {
  const everything =
    /^(?:[a-z]:\\?\*?(?:\.\*)?|[a-z]:\\(?:users|windows|program files).*|~|\/|%userprofile%|\$home|\$env:userprofile)$/i
  const recursive = words.some((word) => /^(?:\/s|-recurse|-r)$/i.test(word))
  return recursive && words.some((word) => everything.test(word))
    ? { word: 'delete', reason: 'deletes a whole drive or all of a user' }
    : null
}

function findCheck(args: readonly Field[], words: readonly string[], { cwds, places }: DangerContext): Danger | null {
  const deletes = words.some(
    (word, index) =>
      word === '-delete' ||
      (/^-(?:exec|ok)(?:dir)?$/.test(word) && /^(?:.*\/)?(?:rm|unlink|shred|srm)$/.test(words[index + 1] ?? '')),
  )
  if (!deletes) return writtenPaths(valuesAfter(args, /^-f(?:print0?|printf|ls)$/), { cwds, places })
  const starts = args.slice(0, words.findIndex((word) => /^[-(!]/.test(word)) >>> 0)
  const filtered = words.some(
    (word, index) =>
      word === '-empty' ||
      // A pattern that everything fits leaves nothing out.
      (/^-(?:i?name|i?path|i?wholename|i?regex)$/.test(word) && !/^[*./?]*$/.test(words[index + 1] ?? '')),
  )
  for (const start of starts.length > 0 ? starts : [field('.')]) {
    const reason = vitalTarget(start, cwds, places)
    const own =
      filtered &&
      possiblePaths(start, cwds, places).every((path) => isInside(path, places.workspace) && !path.includes('/.git'))
    if (reason !== null && !own) return { word: 'delete', reason: `deletes in ${reason}` }
  }
  return null
}

const valuesAfter = (args: readonly Field[], option: RegExp): Field[] =>
  args.filter((_, index) => index > 0 && option.test(args[index - 1]?.text ?? ''))

function writtenPaths(fields: readonly Field[], { cwds, places }: DangerContext): Danger | null {
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

const allWritten = (args: readonly Field[], context: DangerContext): Danger | null =>
  writtenPaths(operandsOf(args), context)

/** The target, and what it would be called when the target is a folder. */
function lastWritten(args: readonly Field[], context: DangerContext): Danger | null {
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
  return writtenPaths([target, ...inside], context)
}

function inPlaceCheck(args: readonly Field[], words: readonly string[], context: DangerContext): Danger | null {
  return words.some((word) => /^(?:-[A-Za-z0-9]*i|--in)/.test(word)) ? allWritten(args, context) : null
}

function ddCheck(args: readonly Field[], _words: readonly string[], context: DangerContext): Danger | null {
  for (const each of args) {
    const match = /^(of|if)=(.*)$/s.exec(each.text)
    if (!match) continue
    const found = writtenPaths([{ ...each, text: match[2] ?? '' }], context)
    if (found && (match[1] === 'of' || found.word === 'disk')) return found
  }
  return null
}

function permissionCheck(args: readonly Field[], words: readonly string[], context: DangerContext): Danger | null {
  if (words.some((word) => /^[ugoa]*[+=][rwxX]*s[rwxX]*$|^[2467][0-7]{3}$/.test(word)))
    return { word: 'admin', reason: 'gives a program the rights of its owner' }
  const recursive = words.some((word) => /^-[A-Za-z]*R|^--rec/.test(word))
  for (const operand of operandsOf(args)) {
    const reason = vitalTarget(operand, context.cwds, context.places)
    if (reason === null || reason === 'the whole workspace') continue
    if (recursive || /whole|system|home folder/.test(reason))
      return { word: 'delete', reason: `changes the permissions of ${reason}` }
  }
  // What could not run before, as a hook, may run now.
  return allWritten(args, context)
}
