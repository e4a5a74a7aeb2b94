import { z } from 'zod'
import type { OwnFiles } from '../../agents/own-files'
import { readInside } from '../../skills/read-inside'
import type { Skills } from '../../skills/skills'
import { inputShape } from '../input'
import { type ObjectTool, present } from '../object-tool'
import { ToolFailure } from '../tool'

interface SkillDeps {
  skills?: Skills | null
  files?: OwnFiles | null
  agentOf(sessionId: string): string
}

const shape = inputShape(() =>
  z.object({
    name: z.string().optional().describe('Default: list them all'),
    path: z.string().optional().describe('Another file of the skill, relative to its folder'),
  }),
)

/** Loads the text of a skill when it is needed. */
export function createSkillTool({ skills, files, agentOf }: SkillDeps): ObjectTool<ReturnType<typeof shape.parse>> {
  return {
    description: 'Read a skill (instructions for a kind of task) by its name, or list the skills there are.',
    ...shape,
    readOnly: true,
    access: (_, { workspace }) => ({ action: 'read', node: 'gsv', cwd: workspace, workspace, toolKey: 'agent.read' }),
    gist: ({ name, path }) => [name ?? 'list', path].filter(Boolean).join(' '),
    async execute({ name, path = 'SKILL.md' }, { sessionId, workspace }) {
      const agentId = agentOf(sessionId)
      if (name === undefined) {
        const rows = await present(skills).list(agentId, { workspace })
        return {
          skills: rows.map((row) => ({
            name: row.name,
            description: row.description,
            eligible: row.eligible,
            ...(row.reasons.length > 0 && { reason: row.reasons.join('; ') }),
          })),
        }
      }
      const found = await present(skills).find(agentId, name, workspace)
      if (!found) throw new ToolFailure('NotFound', `There is no skill named ${JSON.stringify(name)}`)
      const folder = found.location.replace(/\/SKILL\.md$/, '')
      const isOurs = found.source === 'agent' || found.source === 'global'
      const file = isOurs
        ? await present(files).read(agentId, `${folder}/${path}`)
        : { path: `${folder}/${path}`, content: await readOther(found.folder, path) }
      return {
        name: found.name,
        ...(!found.eligible && { notEligible: found.reasons.join('; ') }),
        ...(found.eligibleHosts.length > 0 && { nodes: found.eligibleHosts }),
        folder: found.folder,
        path: file.path,
        content: file.content,
      }
    },
  }
}

/** A file of a skill that other programs use too. */
const readOther = (folder: string, path: string): Promise<string> =>
  readInside(folder, path).catch((error: Error) => {
    throw new ToolFailure('FileNotFound', error.message)
  })
