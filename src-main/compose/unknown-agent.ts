import { nearest } from '../nearest'

/** Words for a name that no agent has; null where one has it. Agents are made by the user, never by naming one. */
export function unknownAgent(id: string, known: readonly string[]): string | null {
  if (known.includes(id)) return null
  const near = nearest(id, known, 3)
  const hint = near.length > 0 ? `Did you mean ${near.join(' or ')}?` : `There is: ${known.join(', ')}.`
  return `There is no agent ${id}. ${hint} Agents are made under Agents in the window.`
}
