import type { ToolFields } from './tool-call'

/**
 * The tool of ours that an agent calls by the server that it was given, by the name it has for it; null for anything else.
 * Agents join server and tool in their own ways. The name of the server is known to the agent alone, and has to be all
 * that is there: what a model or a file says must not make a call look like one of ours.
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
