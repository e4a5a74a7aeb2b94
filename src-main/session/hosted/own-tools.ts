import type { ToolFields } from './tool-call'

/**
 * The name of our tool that an agent calls through the MCP server we gave it; null for any other call. Agents join
 * server and tool names in different ways. Only the agent knows the server's name, and everything before the tool's
 * name has to match it, so that no text from a model or a file can make a call look like one of ours.
 */
export function ownToolOf({ name, title }: Pick<ToolFields, 'name' | 'title'>, server: string | null): string | null {
  if (server === null) return null
  for (const words of [name, title]) {
    const [, before = '', tool = ''] =
      /^(.*?)(?:__|[_.:/]| - |: )([A-Za-z]{1,40})(?: \([\w -]+\))?$/.exec(words ?? '') ?? []
    if (isServer(before, server)) return tool
  }
  return null
}

const isServer = (words: string, server: string): boolean =>
  [server, server.replaceAll('-', '_')].some((name) => [name, `mcp__${name}`, `mcp.${name}`].includes(words))
