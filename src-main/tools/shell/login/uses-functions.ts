import { forEachChild, parse, type SyntaxNode } from 'unbash'

/** Builtins by which a command can see or call a function that it does not name. */
const reachesAll = new Set(
  '. source eval declare typeset set type command builtin compgen complete unset export readonly trap alias mapfile readarray local enable hash coproc'.split(
    ' ',
  ),
)
const plainName = /^[\w./+:@%-]+$/

/**
 * Whether a command of bash may use one of these functions. It may where it names one anywhere, where it runs something
 * whose name is not written out, and where it uses a builtin that tells of functions or runs other text.
 */
export function usesFunctions(command: string, functions: ReadonlySet<string>): boolean {
  if (command.includes('`') || command.split(/[^\w./+:@%-]+/).some((word) => functions.has(word))) return true
  const script = parse(command)
  let uses = false
  const visit = (node: SyntaxNode): void => {
    if (uses) return
    if ('errors' in node && Array.isArray(node.errors) && node.errors.length > 0) uses = true
    else if (
      node.type === 'Command' &&
      node.name &&
      (!plainName.test(node.name.text) || reachesAll.has(node.name.text))
    )
      uses = true
    else if (node.type === 'CommandExpansion' && !node.script) uses = true
    else forEachChild(node, visit)
  }
  visit(script as SyntaxNode)
  return uses
}
