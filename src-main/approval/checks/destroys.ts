import type { Part } from '../decide-command'
import { factsOf } from '../programs/registry'
import { baseName } from '../shell/program-name'

/**
 * Commands whose purpose is to throw work away that nothing brings back: uncommitted changes, stashes, branches, whole
 * folders. A cage in which the workspace is writable does not hold them.
 */
const GIT =
  /\bgit(?:\s+(?:-[Cc]\s+\S+|-\S+))*\s+(?:reset\b[^|;&\n]*--(?:hard|merge|keep)|clean\b[^|;&\n]*\s(?:-\w*[fdxX]|--force)|stash\s+(?:drop|clear)|branch\b[^|;&\n]*\s(?:-\w*D|--delete|-d)|checkout\b[^|;&\n]*\s(?:--(?:\s|$)|\.(?:\s|$)|-f|--force)|switch\b[^|;&\n]*\s(?:-f|--force|--discard-changes|-C)|restore\b(?![^|;&\n]*--staged)|worktree\s+(?:remove|prune)|reflog\s+(?:expire|delete)|update-ref\b[^|;&\n]*\s-d|gc\b[^|;&\n]*--prune|filter-(?:branch|repo)|rm\b|tag\s+-d)/
const FILES =
  /(?:^|[\s;&|('"`])(?:rm\s+(?:\S+\s+)*-(?:\w*[rR]|-recursive)|rm\s+-\w*f\w*(?=\s*(?:$|[;&|]))|shred\s|unlink\s|truncate\s|find\b[^|;&\n]*-delete|xargs\b[^|;&\n]*\brm\b)|-exec(?:dir)?\s+rm\b/

/** Whether one of these parts, or code that one of them carries, is such a command; `text` is the whole command. */
export const destroysWork = (parts: readonly Part[], text: string): boolean =>
  parts.some(({ invocation }) => {
    const name = baseName(invocation.fields[0]?.text ?? '')
    const facts = factsOf(name)
    const own = `${name} ${words(invocation.fields)}`
    if (name === 'git') return GIT.test(own)
    // What runs code may get it from anywhere in the command: a word, a block of text, a pipe.
    const said = facts?.runs === undefined ? own : text
    return FILES.test(said) || ((facts?.runs ?? facts?.carries ?? facts?.inner) !== undefined && GIT.test(said))
  })

const words = (fields: Part['invocation']['fields']): string =>
  fields
    .slice(1)
    .map(({ text }) => text)
    .join(' ')
