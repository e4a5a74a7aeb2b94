import { localDate } from './dates'
import type { OwnFiles } from './own-files'
import { OwnFileError } from './own-path'

/** The files that define an agent; `null` for missing ones. */
export interface PromptFiles {
  bootstrap: string | null
  soul: string | null
  identity: string | null
  user: string | null
  agents: string | null
  /** Not included in sessions that other people take part in. */
  memory: string | null
  yesterday: string | null
  today: string | null
  tools: string | null
  heartbeat: string | null
}

/** What each file is for; also the order in which the window shows them. */
export const knownFiles: readonly { path: string; purpose: string }[] = [
  { path: 'SOUL.md', purpose: 'Character and values: who the agent is' },
  { path: 'IDENTITY.md', purpose: 'Name and role; its first heading is the name that is shown' },
  { path: 'USER.md', purpose: 'What the agent should know about you' },
  { path: 'AGENTS.md', purpose: 'How it works: rules and habits' },
  { path: 'MEMORY.md', purpose: 'What it keeps in mind for long; only in its main session' },
  { path: 'TOOLS.md', purpose: 'Notes on tools, machines and names' },
  { path: 'HEARTBEAT.md', purpose: 'What to look after when it is woken by the clock' },
  { path: 'BOOTSTRAP.md', purpose: 'Instructions for its first run; it deletes the file when done' },
]

const longestFile = 12_000
const longestNote = 6_000

/** Reads the prompt files for a session; `main` says whether it is private to the user, like the main session. */
export async function readPromptFiles(
  files: OwnFiles,
  agentId: string,
  options: { main: boolean; now: number; timeZone: string },
): Promise<PromptFiles> {
  const text = async (path: string, limit: number, keep: 'head' | 'tail'): Promise<string | null> => {
    try {
      const found = (await files.find(agentId, path))?.content.trim()
      return found ? cut(found, path, limit, keep) : null
    } catch (error) {
      if (error instanceof OwnFileError) return `(${path} cannot be read: ${error.message})`
      throw error
    }
  }
  const day = 24 * 60 * 60 * 1000
  const note = (at: number) => text(`memory/${localDate(at, options.timeZone)}.md`, longestNote, 'tail')
  const file = (path: string) => text(path, longestFile, 'head')
  const [bootstrap, soul, identity, user, agents, memory, yesterday, today, tools, heartbeat] = await Promise.all([
    file('BOOTSTRAP.md'),
    file('SOUL.md'),
    file('IDENTITY.md'),
    file('USER.md'),
    file('AGENTS.md'),
    options.main ? file('MEMORY.md') : null,
    note(options.now - day),
    note(options.now),
    file('TOOLS.md'),
    file('HEARTBEAT.md'),
  ])
  return { bootstrap, soul, identity, user, agents, memory, yesterday, today, tools, heartbeat }
}

/** Shortens a text: notes keep their end (the newest lines), all other files their beginning. */
function cut(text: string, path: string, limit: number, keep: 'head' | 'tail'): string {
  if (text.length <= limit) return text
  const rest = `(cut here: ${path} has ${text.length} characters)`
  return keep === 'head'
    ? `${text.slice(0, limit).toWellFormed()}\n${rest}`
    : `${rest}\n${text.slice(-limit).toWellFormed()}`
}
