import type { NodeInfo } from '../../src-preload/contract/nodes'
import type { Session } from '../../src-preload/contract/sessions'
import type { SkillInfo } from '../../src-preload/contract/skills'
import { type KeyRules, mainSessionKey } from '../session-keys'
import type { OwnFiles } from './own-files'
import { agentSections, gsvPrompt, type SkillLine } from './prompt'
import { readPromptFiles } from './prompt-files'

interface SessionPromptDeps {
  files: OwnFiles
  skills(agentId: string): Promise<SkillInfo[]>
  /** What the default vocabulary says before an agent's own files. */
  base(session: PromptSession): string
  /** What a sub-agent is told instead. */
  forChild(session: PromptSession): string
  nodes(): NodeInfo[]
  rules(): KeyRules
  /** The channel that the session was last active on. */
  channelOf(sessionId: string): string | undefined
  timeZone(): string
  now?(): number
}

/** As much of a session as a prompt depends on. */
type PromptSession = Pick<Session, 'id' | 'key' | 'agentId' | 'workspace' | 'model' | 'toolset'> &
  Partial<Pick<Session, 'parentId' | 'sandbox'>>

type Definition = { name: string; description: string }

export type SessionPrompt = ReturnType<typeof createSessionPrompt>

/** What a session's model is told before anything else, made anew for each request. */
export function createSessionPrompt(deps: SessionPromptDeps) {
  return async (session: PromptSession, tools: readonly Definition[]): Promise<string> => {
    const { agentId } = session
    const timeZone = deps.timeZone()
    // An ordinary chat of the user's own is as private as the main session; what others take part in has a longer key.
    const main = session.key === '' || session.key === mainSessionKey(agentId, deps.rules())
    const [files, skills] = await Promise.all([
      readPromptFiles(deps.files, agentId, { main, now: (deps.now ?? Date.now)(), timeZone }),
      deps.skills(agentId),
    ])
    if (session.parentId)
      return [deps.forChild(session), files.agents && `<file name="AGENTS.md">\n${files.agents}\n</file>`]
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
        nodes: deps.nodes(),
        skills: lines,
        ...(channel !== undefined && { channel }),
      })
    }
    return [deps.base(session), agentSections(agentId, files, lines)].filter(Boolean).join('\n\n')
  }
}

const lineOf = ({ name, description, location, source }: SkillInfo, agentId: string): SkillLine => ({
  name,
  description,
  location,
  storedAs: source === 'agent' ? `agents/${agentId}/${location}` : location,
})
