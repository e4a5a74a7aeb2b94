/**
 * The first parts of tool names (`id__Tool`). Nodes and MCP servers share this namespace, and neither needs to know of the
 * other to keep out of its way.
 */
export interface ToolPrefixes {
  /** From now on these ids count as taken by `owner`. */
  add(owner: string, ids: () => readonly string[]): void
  /** The ids of everybody but `owner`. */
  takenByOthers(owner: string): string[]
}

export function createToolPrefixes(): ToolPrefixes {
  const owners = new Map<string, () => readonly string[]>()
  return {
    add: (owner, ids) => void owners.set(owner, ids),
    takenByOthers: (owner) => [...owners].flatMap(([name, ids]) => (name === owner ? [] : ids())),
  }
}
