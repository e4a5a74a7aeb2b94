import type { Field } from './field'

export interface Redirect {
  /** As bash writes it, with `<<` and `<<<` for text that stands in the command itself. */
  operator: string
  descriptor: number | null
  /** The file, the descriptor to copy, or the text; `null` when unknown. */
  target: Field | null
  trouble: string | null
}

/** One program that the shell would start (or one builtin), with everything around it that matters. */
export interface Invocation {
  text: string
  fields: Field[]
  assignments: { name: string; value: string | null }[]
  redirects: Redirect[]
  /** Every folder that it might run in; `null` for one that cannot be told. */
  cwds: (string | null)[]
  /** What feeds its standard input in a pipeline. */
  source: Invocation | null
  /** Why it cannot be taken for what it seems to be. */
  trouble: string | null
}

export interface ShellPlan {
  invocations: Invocation[]
  /** Reasons that concern the whole: syntax errors, constructs that are not plain lists of commands. */
  troubles: string[]
  /** A function that calls itself, as in `f(){ f|f& }`, or an endless loop that leaves things running. */
  recursive: boolean
  /** Some of it lies too deep, or comes too late, to have been looked at. */
  unsearched: boolean
}

export interface WalkEnvironment {
  home: string
  cwd: string
  /** Follows `cd`. */
  folder(target: string, cwd: string): string | null
  /** What a substitution prints, told by the invocations in it; `null` where only running it would tell. */
  output(invocations: readonly Invocation[]): string | null
}

/** Every folder that something might run in; `null` for one that cannot be told. */
export type Folders = (string | null)[]

const MAX_FOLDERS = 8

export function either(one: Folders, other: Folders): Folders {
  const all = [...new Set([...one, ...other])]
  return all.length > MAX_FOLDERS ? [null] : all
}
