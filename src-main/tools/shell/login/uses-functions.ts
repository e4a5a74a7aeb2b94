import { forEachChild, parse, type SyntaxNode } from 'unbash'

/** Builtins through which a command can see or call a function without naming it. */
const reachesAll = new Set(
  '. source eval declare typeset set type command builtin compgen complete unset export readonly trap alias mapfile readarray local enable hash coproc'.split(
    ' ',
  ),
)
const plainName = /^[\w./+:@%-]+$/

/**
 * Whether a bash command may use one of these functions: if it names one anywhere, runs something whose name is not
 * literal, or uses a builtin that lists functions or runs other text.
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
