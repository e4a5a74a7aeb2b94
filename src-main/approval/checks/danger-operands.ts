import type { Danger } from '../finding'
import { inWorkspace, isInsideAny, type Places } from '../paths/paths'
import { protectedReason } from '../paths/protected-paths'
import { secretReason } from '../paths/secret-paths'
import { isDevice } from '../paths/vital-paths'
import type { ProgramFacts } from '../programs/facts'
import type { Field } from '../shell/field'
import type { Invocation } from '../shell/plan'
import { possiblePaths } from '../shell/word-paths'

export const WRITES: ReadonlySet<string> = new Set(['>', '>>', '>|', '&>', '&>>', '<>', '>&'])
const HARMLESS_DEVICES = /^\/dev\/(?:null|zero|full|random|urandom|tty|stdin|stdout|stderr|fd\/\d+|ptmx|pts\/\d+)$/
export function redirectDanger(invocation: Invocation, places: Places): Danger | null {
  for (const { operator, target } of invocation.redirects) {
    if (!target || operator === '<<' || operator === '<<<') continue
    for (const path of possiblePaths(target, invocation.cwds, places)) {
      const found = WRITES.has(operator) ? writeDanger(path, places) : readDanger(path, places)
      if (found) return found
    }
  }
  return null
}

/** Writing to a device, or to a file that decides what runs later. */
function writeDanger(path: string, places: Places): Danger | null {
  if (HARMLESS_DEVICES.test(path)) return null
  if (isDevice(path)) return { word: 'disk', reason: `writes to the device ${path}` }
  if (/^\/proc\/sysrq-trigger$|^\/sys\/power\//.test(path))
    return { word: 'power', reason: 'shuts down or restarts the computer' }
  if (isInsideAny(path, places.own))
    return { word: 'settings', reason: `touches ${path}, which belongs to Deckhand itself` }
  const protection = protectedReason(inWorkspace(path, places))
  return protection === null ? null : { word: 'config', reason: `changes ${path}: ${protection}` }
}

function readDanger(path: string, places: Places): Danger | null {
  if (HARMLESS_DEVICES.test(path)) return null
  if (isDevice(path)) return { word: 'disk', reason: `reads the device ${path}` }
  if (isInsideAny(path, places.own) && !isInsideAny(path, places.readable))
    return { word: 'settings', reason: `touches ${path}, which belongs to Deckhand itself` }
  const secret = secretReason(inWorkspace(path, places))
  return secret === null ? null : { word: 'secret', reason: secret }
}

/** Secrets and devices as operands, also behind `@`, `=` and `:`. */
export function operandDanger(
  facts: ProgramFacts,
  fields: readonly Field[],
  invocation: Invocation,
  places: Places,
): Danger | null {
  for (const field of openedBy(facts, fields)) {
    const text = field.text
    if (text.length > 4096) continue
    const candidates = /^-|[@=]/.test(text) ? [text, ...text.split(/[@=]/).slice(1)] : [text]
    for (const candidate of candidates) {
      if (
        candidate === '' ||
        candidate.startsWith('-') ||
        /[\s'"(){};$]/.test(candidate) ||
        /^\w+:\/\//.test(candidate)
      )
        continue
      for (const path of possiblePaths({ ...field, text: candidate }, invocation.cwds, places)) {
        const found = readDanger(path, places)
        // A bare word such as `credentials` is only a file if it is there.
        if (
          found &&
          (/[./]/.test(candidate) ||
            places.files.lstat(path) !== null ||
            secretReason(path.slice(0, path.lastIndexOf('/'))))
        )
          return found
      }
    }
  }
  return null
}

function openedBy({ opens }: ProgramFacts, fields: readonly Field[]): readonly Field[] {
  const named = fields.slice(1)
  switch (opens) {
    case 'none':
      return []
    case 'after pattern':
      return afterPattern(fields)
    case 'all but last':
      return named.filter(({ text }) => !text.startsWith('-')).length > 1 ? named.slice(0, -1) : named
    case undefined:
      return named
  }
}

/** The files of a search; what is searched for may look like anything. */
function afterPattern(fields: readonly Field[]): readonly Field[] {
  if (fields.some((field) => /^(?:-[A-Za-z]*[ef]|--regexp|--file)/.test(field.text))) return fields.slice(1)
  const pattern = fields.findIndex((field, index) => index > 0 && !field.text.startsWith('-'))
  return pattern < 0 ? [] : fields.slice(pattern + 1)
}
