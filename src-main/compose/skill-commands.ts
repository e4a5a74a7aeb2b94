import { readInside } from '../skills/read-inside'
import type { Skills } from '../skills/skills'
import { expandCommand } from '../slash/command-files'
import type { SlashSource } from '../slash/slash-commands'

/** Skills as slash commands: `/name what to do with it`. */
export const skillCommands = (skills: Pick<Skills, 'eligible'>): SlashSource => ({
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
