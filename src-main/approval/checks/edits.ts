import { canonicalPath, inWorkspace, isInsideAny, type Places, shortPath } from '../paths/paths'
import { isHiddenConfig, protectedReason } from '../paths/protected-paths'
import { secretReason } from '../paths/secret-paths'
import { first, type ReadingContext } from '../programs/facts'
import { readOptions } from '../programs/options'
import { pathDoubt } from '../programs/reading-paths'
import { factsOf } from '../programs/registry'
import type { Field } from '../shell/field'

export interface EditContext extends ReadingContext {
  writes: string[]
  deletes: string[]
}

/** Why an invocation is more than an everyday change of single files in the workspace; `null` if it is not. */
export function editTrouble(fields: readonly Field[], context: EditContext): string | null {
  const [program, ...rest] = fields
  const name = program?.text ?? ''
  const edits = factsOf(name)?.edits
  if (!edits) return `${name || 'it'} is not one of the everyday changes`
  const found = context.places.files.which(name)
  if (found !== null && (!found.startsWith('/') || isInsideAny(found, context.places.folders)))
    return `${name} is not a program of the system`
  if (rest.some((field) => field.unknown || field.pattern)) return 'it does not say plainly which files it changes'
  const read = readOptions(
    rest.map((field) => field.text),
    edits.options,
  )
  if (typeof read === 'string') return `${name}: ${read}`
  const { operands } = read
  if (operands.length === 0) return `${name} has no operand`
  switch (edits.operands) {
    case 'delete':
      return first(operands, (path) => writeTrouble(path, context, 'delete'))
    case 'write':
      return first(operands, (path) => writeTrouble(path, context))
    case 'copy':
    case 'move':
      return operands.length < 2 ? `${name} has no target` : transferTrouble(operands, edits.operands, context)
  }
}

function transferTrouble(operands: readonly string[], how: 'copy' | 'move', context: EditContext): string | null {
  const target = operands.at(-1) ?? ''
  return first(operands.slice(0, -1), (source) => {
    const base = source.replace(/\/+$/, '').split('/').at(-1) ?? ''
    const into = `${target.replace(/\/+$/, '')}/${base}`
    const read =
      how === 'copy'
        ? (pathDoubt(source, context)?.reason ?? null)
        : (movedTrouble(source, context) ?? writeTrouble(source, context, 'delete'))
    return read ?? writeTrouble(target, context) ?? writeTrouble(into, context)
  })
}

/** A link means something else in another folder, and so may one inside a folder that moves. */
function movedTrouble(source: string, { cwds, places }: EditContext): string | null {
  const plain = cwds.every(
    (cwd) => places.files.lstat(source.startsWith('/') ? source : `${cwd ?? ''}/${source}`)?.kind === 'file',
  )
  return plain ? null : `${source} is not a plain file`
}

/** Why a path may not be changed without asking, even where the workspace may be. */
export function writeTrouble(path: string, context: EditContext, access: 'write' | 'delete' = 'write'): string | null {
  const { places } = context
  for (const cwd of context.cwds) {
    if (cwd === null && !path.startsWith('/')) return `it is not clear which folder ${path} is in`
    const canonical = canonicalPath(path, cwd ?? '/', places.files)
    if (canonical === null) return `it is not clear where ${path} leads`
    const trouble = changeTrouble(canonical, places)
    if (trouble !== null) return trouble
    ;(access === 'delete' ? context.deletes : context.writes).push(canonical)
  }
  return null
}

/** The same for a canonical path. */
export function changeTrouble(canonical: string, places: Places, isLink = false): string | null {
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
  if (entry === null || isLink) return null
  if (entry.kind === 'file' && entry.links > 1) return `${short} is also linked from elsewhere, which would change too`
  return entry.kind === 'file' || entry.kind === 'directory' ? null : `${short} is not a plain file`
}
