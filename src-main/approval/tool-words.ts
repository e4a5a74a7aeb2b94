/** What a tool without a command or a path is called in a sentence. */
export function toolWords(key: string): string {
  if (key === 'terminal.read') return 'what a terminal shows that it did not open itself'
  const [, server, tool] = /^mcp:([^:]+):(.*)#[0-9a-f]+$/.exec(key) ?? []
  return server === undefined || tool === undefined ? key : `the tool ${tool} of the MCP server ${server}`
}
