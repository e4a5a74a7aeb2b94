import type { Danger } from '../finding'
import { inWorkspace, isInsideAny, type Places } from '../paths/paths'
import { protectedReason } from '../paths/protected-paths'
import { secretReason } from '../paths/secret-paths'
import { isDevice, possiblePaths } from '../paths/vital-paths'
import type { Field } from '../shell/field'
import type { Invocation } from '../shell/plan'

export const WRITES: ReadonlySet<string> = new Set(['>', '>>', '>|', '&>', '&>>', '<>', '>&'])
const HARMLESS_DEVICES = /^\/dev\/(?:null|zero|full|random|urandom|tty|stdin|stdout|stderr|fd\/\d+|ptmx|pts\/\d+)$/
/** Commands that name a file without opening it. */
const METADATA = new Set(
  `ls stat file find fd test [ du df tree echo printf basename dirname realpath readlink lsblk blkid findmnt which type cd mkdir touch
  chmod chown rm rmdir git rg grep man mount umount exit true false lsattr udevadm smartctl code command pgrep`.split(
    /\s+/,
  ),
)
/** Their first operand is what to look for or to do, not a file. */
const READS_AFTER_PATTERN = new Set('grep rg egrep fgrep jq sed awk gawk mawk ag ack'.split(' '))

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
    return { word: 'power', reason: 'switches the computer off or restarts it' }
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
  name: string,
  fields: readonly Field[],
  invocation: Invocation,
  places: Places,
): Danger | null {
  if (METADATA.has(name) && !READS_AFTER_PATTERN.has(name)) return null
  for (const field of openedBy(name, fields)) {
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

function openedBy(name: string, fields: readonly Field[]): readonly Field[] {
  if (READS_AFTER_PATTERN.has(name)) return afterPattern(fields)
  const named = fields.slice(1)
  // A link opens what it leads to under another name; the last word is that name.
  return name === 'ln' && named.filter(({ text }) => !text.startsWith('-')).length > 1 ? named.slice(0, -1) : named
}

/** The files of a search; what is searched for may look like anything. */
function afterPattern(fields: readonly Field[]): readonly Field[] {
  if (fields.some((field) => /^(?:-[A-Za-z]*[ef]|--regexp|--file)/.test(field.text))) return fields.slice(1)
  const pattern = fields.findIndex((field, index) => index > 0 && !field.text.startsWith('-'))
  return pattern < 0 ? [] : fields.slice(pattern + 1)
}
