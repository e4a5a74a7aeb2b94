import type { Danger } from '../finding'
import type { Vital } from '../paths/vital-paths'
import type { Field } from '../shell/field'
import { vitalTarget } from '../shell/word-paths'
import { plain } from './carried'
import { operandsOf } from './dangers'
import type { DangerCheck, Family, ProgramFacts, Standing } from './facts'
import { windowsDelete } from './windows-paths'
import { allWritten, deleteCheck, lastWritten, vitalOperands, writtenPaths } from './written-paths'

const WRITES_ALL: ProgramFacts = { writes: 'operands', danger: (args, _words, standing) => allWritten(args, standing) }
const RIGHTS: ProgramFacts = { danger: permissionDanger }

/** Deletes whole folders without being told to. */
const deletesFolders: DangerCheck = (args, words, standing) =>
  deleteCheck([plain('-r'), ...args], ['-r', ...words], standing)

/** Programs that make, change, move or delete files. */
export const FILES: Family = {
  rm: {
    edits: { options: { short: 'fvi', long: 'force verbose' }, operands: 'delete' },
    deletes: true,
    opens: 'none',
    danger: deleteCheck,
  },
  rmdir: {
    edits: { options: { short: 'pv', long: 'parents verbose' }, operands: 'delete' },
    deletes: true,
    opens: 'none',
    danger: (args, words, standing) => windowsDelete(args, words, standing) ?? deleteCheck(args, words, standing),
  },
  unlink: { deletes: true, danger: deleteCheck },
  'srm trash': { danger: deleteCheck },
  'rimraf del-cli': { danger: deletesFolders },
  shred: {
    deletes: true,
    danger: (args, _words, standing) =>
      vitalOperands(operandsOf(args), 'destroys', standing) ?? allWritten(args, standing),
  },
  mv: {
    edits: { options: { short: 'vnfu', long: 'verbose no-clobber force update' }, operands: 'move' },
    writes: 'last',
    danger: (args, _words, standing) =>
      vitalOperands(operandsOf(args).slice(0, -1), 'moves away', standing) ?? lastWritten(args, standing),
  },
  cp: {
    edits: { options: { short: 'pvnfu', long: 'verbose no-clobber force update' }, operands: 'copy' },
    writes: 'last',
    danger: (args, _words, standing) => lastWritten(args, standing),
  },
  install: { writes: 'last', danger: (args, _words, standing) => lastWritten(args, standing), exactRules: true },
  ln: {
    writes: 'operands',
    // A link opens what it leads to under another name; the last word is that name.
    opens: 'all but last',
    danger: (args, _words, standing) => lastWritten(args, standing),
    purpose: 'makes links',
  },
  mkdir: {
    edits: { options: { short: 'pvm:', long: 'parents verbose mode=' }, operands: 'write' },
    writes: 'operands',
    opens: 'none',
  },
  touch: { ...WRITES_ALL, edits: { options: { short: 'acm', long: 'no-create' }, operands: 'write' }, opens: 'none' },
  tee: {
    ...WRITES_ALL,
    edits: { options: { short: 'ai', long: 'append ignore-interrupts' }, operands: 'write' },
    savesInput: true,
    exactRules: true,
  },
  sponge: { ...WRITES_ALL, savesInput: true },
  truncate: WRITES_ALL,
  patch: { purpose: 'changes files' },
  dd: { danger: copyDanger, purpose: 'copies raw data', exactRules: true },
  'chmod chown': { ...RIGHTS, writes: 'rights', opens: 'none' },
  'chgrp chattr setfacl icacls takeown': RIGHTS,
}

function copyDanger(args: readonly Field[], _words: readonly string[], standing: Standing): Danger | null {
  for (const each of args) {
    const match = /^(of|if)=(.*)$/s.exec(each.text)
    if (!match) continue
    const found = writtenPaths([{ ...each, text: match[2] ?? '' }], standing)
    if (found && (match[1] === 'of' || found.word === 'disk')) return found
  }
  return null
}

/** Whose permissions matter even where only the folder itself is changed. */
const VITAL_FOLDERS: ReadonlySet<Vital['kind']> = new Set(['file system', 'home', 'above home', 'system'])

function permissionDanger(args: readonly Field[], words: readonly string[], standing: Standing): Danger | null {
  if (words.some((word) => /^[ugoa]*[+=][rwxX]*s[rwxX]*$|^[2467][0-7]{3}$/.test(word)))
    return { word: 'admin', reason: 'makes a program run with its owner’s permissions' }
  const recursive = words.some((word) => /^-[A-Za-z]*R|^--rec/.test(word))
  for (const operand of operandsOf(args)) {
    const vital = vitalTarget(operand, standing.cwds, standing.places)
    if (vital === null || vital.kind === 'workspace') continue
    if (recursive || VITAL_FOLDERS.has(vital.kind))
      return { word: 'delete', reason: `changes the permissions of ${vital.what}` }
  }
  // What could not run before, as a hook, may run now.
  return allWritten(args, standing)
}
