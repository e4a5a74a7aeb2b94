import type { Mcp } from '../mcp/mcp'
import { promptArguments, promptHint } from '../mcp/prompts'
import type { SlashSource } from '../slash/slash-commands'

/** The prompts of MCP servers as slash commands: `/server:prompt arguments`. */
export const mcpPrompts = (mcp: Pick<Mcp, 'prompts'>): SlashSource => ({
  list: ({ workspace }) =>
    mcp.prompts(workspace).map(({ server, prompt, get }) => ({
      name: prompt.command,
      description: prompt.description,
      hint: promptHint(prompt),
      from: `MCP server ${server}`,
      untrusted: true,
      expand: (args, signal) => get(promptArguments(prompt, args), signal),
    })),
})
