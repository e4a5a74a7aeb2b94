import type { BoundContent } from '../../../src-preload/contract/approval'
import type { Places } from '../paths/paths'
import { fileContent } from '../programs/bound-files'
import { factsOf } from '../programs/registry'
import { baseName } from '../shell/program-name'

/**
 * What a command line leaves to files of the workspace: the script of a package, with the files that it names, or a script
 * that an interpreter is given. A permission for such a command means that content, not whatever will stand there later.
 */
export function boundContent(argv: readonly string[], cwd: string | null, places: Places): BoundContent[] {
  if (cwd === null) return []
  const [program = '', ...args] = argv
  const facts = factsOf(baseName(program))
  if (facts?.content) return facts.content(args, cwd, places)
  if (facts?.runs === 'shell' || facts?.runs === 'interpreter') {
    const file = args.find((word) => !word.startsWith('-'))
    return file === undefined ? [] : fileContent(file, cwd, places)
  }
  return program.includes('/') ? fileContent(program, cwd, places) : []
}

/** Its parts in words: `scripts.test`, `scripts/run.mjs`. */
export const boundName = ({ path, script }: BoundContent): string => (script === undefined ? path : `scripts.${script}`)

/** The same things with the same content. */
export const sameContent = (one: readonly BoundContent[], other: readonly BoundContent[]): boolean =>
  JSON.stringify(one.map(({ path, script, hash }) => [path, script, hash])) ===
  JSON.stringify(other.map(({ path, script, hash }) => [path, script, hash]))
