import { homedir } from 'node:os'
import { join } from 'node:path'
import type { Engine } from '../engine'
import type { Hosts } from '../hosts/hosts'
import type { Mcp } from '../mcp/mcp'
import { promptArguments, promptHint } from '../mcp/prompts'
import { readInside } from '../skills/read-inside'
import type { Skills } from '../skills/skills'
import { commandFiles, expandCommand } from '../slash/command-files'
import { createSlashCommands, type SlashCommands, type SlashSource } from '../slash/slash-commands'

/** Joins the sources of slash commands. The first that has a name wins it. */
export function composeSlash({
  dataDir,
  store,
  log,
  hosts,
  agents,
  mcp,
}: Pick<Engine, 'dataDir' | 'store' | 'log' | 'hosts' | 'agents' | 'mcp'>): SlashCommands {
  const slash = createSlashCommands({
    taint: store.taint.add,
    onTrouble: (error) => log.warn('Commands could not be listed', { error }),
  })
  slash.add(agentCommands(hosts))
  slash.add(commandFiles({ own: join(dataDir, 'commands'), home: homedir() }))
  slash.add(skillCommands(agents.skills))
  slash.add(mcpPrompts(mcp))
  return slash
}

/** The commands of the agent that plays a session. It reads them as they are typed. */
const agentCommands = (hosts: Pick<Hosts, 'info'>): SlashSource => ({
  list: ({ sessionId }) => {
    const info = hosts.info(sessionId)
    return (info?.commands ?? []).map(({ name, description, hint = '' }) => ({
      name,
      description,
      hint,
      from: info?.name ?? '',
      expand: () => ({ text: '' }),
    }))
  },
})

/** Skills as slash commands: `/name what to do with it`. */
const skillCommands = (skills: Pick<Skills, 'eligible'>): SlashSource => ({
  list: async ({ agentId, workspace }) =>
    (await skills.eligible(agentId, workspace)).map(({ name, description, folder, source }) => ({
      name: name.replace(/\s+/g, '-'),
      description,
      hint: '[what to do]',
      from: source === 'project' ? 'skill of this project' : 'skill',
      untrusted: source === 'project',
      expand: async (args) => {
        const text = (await readInside(folder, 'SKILL.md')).replace(/^---[ \t]*\r?\n[\s\S]*?\r?\n---[ \t]*\r?\n/, '')
        return { text: expandCommand(`The skill ${name}, in ${folder}:\n\n${text}`, args) }
      },
    })),
})

/** The prompts of MCP servers as slash commands: `/server:prompt arguments`. */
const mcpPrompts = (mcp: Pick<Mcp, 'prompts'>): SlashSource => ({
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
