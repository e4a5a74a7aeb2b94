import { isReservedName } from '../../src-preload/contract/field-rules'
import { nodeId } from '../../src-preload/contract/node-calls'

/** Why this is not a valid node id, or null. `taken` are prefixes already in use, for example by MCP servers. */
export function idTrouble(id: string, taken: readonly string[] = []): string | null {
  if (id.includes('__')) return `A node id must not contain "__", which separates it from the tool: ${id}`
  const checked = nodeId.safeParse(id)
  if (!checked.success)
    return `${JSON.stringify(id.slice(0, 60))} is not a node id. ${checked.error.issues[0]?.message ?? ''}`
  const lower = id.toLowerCase()
  if (isReservedName(id)) return `The name ${id} is reserved`
  if (taken.some((other) => other.toLowerCase() === lower)) return `The name ${id} is taken`
  return null
}

/** A host name as a node id: `Anna's MacBook.local` becomes `anna-s-macbook`. */
export function idFromHostname(hostname: string): string {
  const id = (hostname.split('.')[0] ?? '')
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 48)
    .replace(/^-|-$/g, '')
  return idTrouble(id) ? 'this-machine' : id
}
