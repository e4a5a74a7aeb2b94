import { forEachChild, type SyntaxNode } from 'unbash'

/** `while true` and `while :`. */
export const isEndless = ({ pos, end }: { pos: number; end: number }, text: string): boolean =>
  /^\s*(?:true|:|\[ 1 \]|\(\( ?1 ?\)\))\s*;?\s*$/.test(text.slice(pos, end))

/** Whether something in it is left running in the background. */
export function leavesRunning(node: SyntaxNode): boolean {
  if (node.type === 'Statement' && node.background) return true
  let found = false
  forEachChild(node, (child) => {
    found ||= leavesRunning(child)
  })
  return found
}

/** Functions and what each of them calls: `a(){ b; }; b(){ a; }` is a circle. */
export function hasCircle(calls: ReadonlyMap<string, ReadonlySet<string>>): boolean {
  const reaches = (from: string, goal: string, seen: Set<string>): boolean => {
    for (const next of calls.get(from) ?? []) {
      if (next === goal) return true
      if (seen.has(next) || !calls.has(next)) continue
      seen.add(next)
      if (reaches(next, goal, seen)) return true
    }
    return false
  }
  return [...calls.keys()].some((name) => reaches(name, name, new Set()))
}
