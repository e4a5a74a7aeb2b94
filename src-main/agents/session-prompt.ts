import type { NodeInfo } from '../../src-preload/contract/nodes'
import type { Session } from '../../src-preload/contract/sessions'
import type { SkillInfo } from '../../src-preload/contract/skills'
import { type KeyRules, mainSessionKey } from '../session-keys'
import type { OwnFiles } from './own-files'
import { agentSections, gsvPrompt, machineSection, type SkillLine } from './prompt'
import { readPromptFiles } from './prompt-files'

interface SessionPromptDeps {
  files: OwnFiles
  skills(agentId: string, workspace: string): Promise<SkillInfo[]>
  /** The part of the default prompt that comes before the agent's own files. */
  base(session: PromptSession, instructions: string): string
  /** The prompt of a sub-agent. */
  forChild(session: PromptSession, instructions: string): string
  /** The section with the instructions of a folder. */
  instructions(folder: string): Promise<string>
  nodes(): NodeInfo[]
  rules(): KeyRules
  /** The channel that the session was last active on. */
  channelOf(sessionId: string): string | undefined
  timeZone(): string
  now?(): number
}

/** What a prompt states about the surroundings of a session, and what may change while it goes on. */
interface Surroundings {
  nodes: readonly NodeInfo[]
  skills: readonly SkillInfo[]
}

/** The fields of a session that a prompt depends on. */
type PromptSession = Pick<Session, 'id' | 'key' | 'agentId' | 'workspace' | 'model' | 'toolset'> &
  Partial<Pick<Session, 'parentId' | 'sandbox'>>

type Definition = { name: string; description: string }

export type SessionPrompt = ReturnType<typeof createSessionPrompt>

/** Builds the system prompt of a session, and tells what of it depends on the surroundings. */
export function createSessionPrompt(deps: SessionPromptDeps) {
  const surroundings = async ({ agentId, parentId, workspace, toolset }: PromptSession): Promise<Surroundings> => ({
    nodes: deps.nodes(),
    skills: parentId
      ? []
      : (await deps.skills(agentId, workspace)).filter(({ source }) => toolset !== 'gsv' || isOwn(source)),
  })

  /** `stated`: what to say about the surroundings; as they are now when left out. */
  const text = async (session: PromptSession, tools: readonly Definition[], stated?: Surroundings): Promise<string> => {
    const { agentId } = session
    const timeZone = deps.timeZone()
    // The user's own chats (empty key) are as private as the main session; sessions with other people have other keys.
    const main = session.key === '' || session.key === mainSessionKey(agentId, deps.rules())
    const [files, { nodes, skills }, instructions] = await Promise.all([
      readPromptFiles(deps.files, agentId, { main, now: (deps.now ?? Date.now)(), timeZone }),
      stated ?? surroundings(session),
      session.toolset === 'gsv' ? '' : deps.instructions(session.workspace),
    ])
    if (session.parentId)
      return [deps.forChild(session, instructions), files.agents && `<file name="AGENTS.md">\n${files.agents}\n</file>`]
        .filter(Boolean)
        .join('\n\n')
    const lines = skills.map((skill) => lineOf(skill, agentId))
    if (session.toolset === 'gsv') {
      const channel = deps.channelOf(session.id)
      return gsvPrompt(files, {
        agentId,
        sessionKey: session.key || session.id,
        main,
        model: session.model,
        timeZone,
        tools,
        nodes,
        skills: lines,
        channel,
      })
    }
    const machines = session.toolset === 'deckhand' ? machineSection(nodes) : ''
    return [deps.base(session, instructions), agentSections(agentId, files, lines), machines]
      .filter(Boolean)
      .join('\n\n')
  }

  return { text, surroundings }
}

/** The file tools of gsv read an agent's own files only. */
const isOwn = (source: SkillInfo['source']): boolean => source === 'agent' || source === 'global'

const lineOf = ({ name, description, location, source }: SkillInfo, agentId: string): SkillLine => ({
  name,
  description,
  location,
  storedAs: source === 'agent' ? `agents/${agentId}/${location}` : location,
})
