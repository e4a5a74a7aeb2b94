import type { PatternPiece } from './glob'

/** Stands in a field's text for what only the running shell would know. */
export const UNKNOWN = '\uFFFC'
/** The same for what may just as well be `/`. */
export const ANYTHING = UNKNOWN + UNKNOWN

/** One argument after expansion, as far as it can be told. */
export interface Field {
  text: string
  /** Some of it is only known when it runs. */
  unknown: boolean
  /** Present when unquoted wildcards stand in it. */
  pattern: PatternPiece[] | null
}
