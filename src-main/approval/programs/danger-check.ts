import type { Danger } from '../finding'
import type { Places } from '../paths/paths'
import type { Field } from '../shell/field'

/** Where an invocation stands. */
export interface DangerContext {
  cwds: readonly (string | null)[]
  places: Places
}

/** Looks at the arguments of one program, as fields and as plain words. */
export type DangerCheck = (args: readonly Field[], words: readonly string[], context: DangerContext) => Danger | null

export const ADMIN: Danger = { word: 'admin', reason: 'asks for the rights of the administrator' }
export const POWER: Danger = { word: 'power', reason: 'switches the computer off or restarts it' }
export const DISK: Danger = { word: 'disk', reason: 'erases or repartitions a disk' }

/** Arguments that are not options. */
export function operandsOf(args: readonly Field[]): Field[] {
  const end = args.findIndex(({ text }) => text === '--')
  const before = end < 0 ? args : args.slice(0, end)
  return [...before.filter(({ text }) => !/^-./.test(text)), ...(end < 0 ? [] : args.slice(end + 1))]
}
