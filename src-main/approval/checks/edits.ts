import { canonicalPath, inWorkspace, isInsideAny, type Places, shortPath } from '../paths/paths'
import { isHiddenConfig, protectedReason } from '../paths/protected-paths'
import { secretReason } from '../paths/secret-paths'
import { readOptions } from '../programs/options'
import { pathTrouble, type SafeContext, type Trouble } from '../programs/reading-paths'
import type { Field } from '../shell/field'

export interface EditContext extends SafeContext {
  writes: string[]
  deletes: string[]
}

const EDITS = new Map(
  Object.entries({
    mkdir: { short: 'pvm:', long: 'parents verbose mode=' },
    touch: { short: 'acm', long: 'no-create' },
    rmdir: { short: 'pv', long: 'parents verbose' },
    tee: { short: 'ai', long: 'append ignore-interrupts' },
    rm: { short: 'fvi', long: 'force verbose' },
    cp: { short: 'pvnfu', long: 'verbose no-clobber force update' },
    mv: { short: 'vnfu', long: 'verbose no-clobber force update' },
  }),
)

/** Why an invocation is more than an everyday change of single files in the workspace. */
export function editTrouble(fields: readonly Field[], context: EditContext): Trouble {
  const [name, ...rest] = fields
  const spec = EDITS.get(name?.text ?? '')
  if (!name || !spec) return `${name?.text ?? 'it'} is not one of the everyday changes`
  const found = context.places.files.which(name.text)
  if (found !== null && (!found.startsWith('/') || isInsideAny(found, context.places.folders)))
    return `${name.text} is not a program of the system`
  if (rest.some((field) => field.unknown || field.pattern)) return 'it does not say plainly which files it changes'
  const read = readOptions(
    rest.map((field) => field.text),
    spec,
  )
  if (typeof read === 'string') return `${name.text}: ${read}`
  const { operands } = read
  if (operands.length === 0) return `${name.text} has no operand`
  if (name.text === 'rm' || name.text === 'rmdir')
    return firstTrouble(operands, (path) => writeTrouble(path, context, 'delete'))
  if (name.text !== 'cp' && name.text !== 'mv') return firstTrouble(operands, (path) => writeTrouble(path, context))
  const target = operands.at(-1) as string
  const sources = operands.slice(0, -1)
  if (sources.length === 0) return `${name.text} has no target`
  return firstTrouble(sources, (source) => {
    const base = source.replace(/\/+$/, '').split('/').at(-1) ?? ''
    const into = `${target.replace(/\/+$/, '')}/${base}`
    const read =
      name.text === 'cp'
        ? pathTrouble(source, context)
        : (movedTrouble(source, context) ?? writeTrouble(source, context, 'delete'))
    return read ?? writeTrouble(target, context) ?? writeTrouble(into, context)
  })
}

/** A link means something else in another folder, and so may one inside a folder that moves. */
function movedTrouble(source: string, { cwds, places }: EditContext): Trouble {
  const plain = cwds.every(
    (cwd) => places.files.lstat(source.startsWith('/') ? source : `${cwd ?? ''}/${source}`)?.kind === 'file',
  )
  return plain ? null : `${source} is not a plain file`
}

const firstTrouble = (items: readonly string[], check: (item: string) => Trouble): Trouble => {
  for (const item of items) {
    const trouble = check(item)
    if (trouble !== null) return trouble
  }
  return null
}

/** Why a path may not be changed without asking, even where the workspace may be. */
export function writeTrouble(path: string, context: EditContext, access: 'write' | 'delete' = 'write'): Trouble {
  const { places } = context
  for (const cwd of context.cwds) {
    if (cwd === null && !path.startsWith('/')) return `nobody can tell which folder ${path} is in`
    const canonical = canonicalPath(path, cwd ?? '/', places.files)
    if (canonical === null) return `nobody can tell where ${path} leads`
    const trouble = changeTrouble(canonical, places)
    if (trouble !== null) return trouble
    ;(access === 'delete' ? context.deletes : context.writes).push(canonical)
  }
  return null
}

/** The same for a canonical path. */
export function changeTrouble(canonical: string, places: Places): Trouble {
  const short = shortPath(canonical, places)
  if (!isInsideAny(canonical, places.folders)) return `it writes outside the workspace: ${short}`
  const relative = inWorkspace(canonical, places)
  const protection = protectedReason(relative)
  if (protection !== null) return `it changes ${short}: ${protection}`
  const secret = secretReason(relative)
  if (secret !== null) return secret
  if (isHiddenConfig(canonical, places.workspace))
    return `${short} is a hidden file, and such files often configure programs`
  const entry = places.files.lstat(canonical)
  if (entry === null) return null
  if (entry.kind === 'file' && entry.links > 1) return `${short} is also linked from elsewhere, which would change too`
  return entry.kind === 'file' || entry.kind === 'directory' ? null : `${short} is not a plain file`
}
