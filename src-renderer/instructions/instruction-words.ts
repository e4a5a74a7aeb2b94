import type { InstructionFile, LeftOutImport } from '../../src-preload/contract/instructions'
import { visible } from '../state/format'

/** `AGENTS.md`, or `AGENTS.md and 2 more`. */
export function filesLabel(files: readonly InstructionFile[]): string {
  const [first] = [...files].sort((one, other) => rank(one) - rank(other))
  if (!first) return ''
  const name = visible(first.path)
  return files.length === 1 ? name : `${name} and ${files.length - 1} more`
}

const rank = ({ source }: InstructionFile): number => ({ folder: 0, user: 1, below: 2 })[source]

export function sourceWords({ source, importedBy, cut }: InstructionFile): string {
  const words = importedBy
    ? `imported by ${visible(importedBy)}`
    : {
        user: 'your own, for all work',
        folder: 'in this folder',
        below: 'in a subfolder, read along with a file there',
      }[source]
  return cut ? `${words}; too long, so the agent gets its beginning` : words
}

export const leftOutWords = ({ why }: LeftOutImport): string =>
  ({
    outside: 'outside this folder',
    secret: 'looks secret, so it is never included',
    missing: 'not found',
    unreadable: 'not a text file, or too large',
    limit: 'too many imports',
  })[why]
