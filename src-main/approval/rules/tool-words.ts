/** What a tool without a command or a path is called in a sentence. */
export function toolWords(key: string): string {
  if (key === 'terminal.read') return 'looking at terminals that the agent did not open'
  // What follows the @ keeps servers of two projects apart.
  const [, server, tool] = /^mcp:([^:@]+)(?:@[0-9a-f]+)?:(.*)#[0-9a-f]+$/.exec(key) ?? []
  return server === undefined || tool === undefined ? key : `the tool ${tool} of the MCP server ${server}`
}

/** What it wants to do with it. */
export const toolAction = (key: string): string =>
  key === 'terminal.read' ? 'see a terminal that it did not open' : `use ${toolWords(key)}`
