import type { Attachment } from '../../src-preload/contract/messages'
import { commandType, readSlash, type SlashCommand, slashName } from '../../src-preload/contract/slash'

/** Where a command is typed. */
export interface SlashPlace {
  sessionId: string
  workspace: string
  agentId: string
}

/** What a command says to the model. */
interface Expansion {
  text: string
  attachments?: Attachment[]
}

export interface SlashEntry extends SlashCommand {
  /** True for text from outside, such as a server's: the session is then treated as having read untrusted text. */
  untrusted?: boolean
  /** Throws an `Error` with a message for the user, for example when an argument is missing. */
  expand(args: string, signal: AbortSignal): Expansion | Promise<Expansion>
}

/** One kind of commands: prompts of MCP servers, files in a folder, skills. */
export interface SlashSource {
  list(place: SlashPlace): SlashEntry[] | Promise<SlashEntry[]>
}

export interface SlashCommands {
  /** Sources that are added earlier win where two have a command of the same name. */
  add(source: SlashSource): void
  list(place: SlashPlace): Promise<SlashCommand[]>
  /**
   * The attachments of a message: those given, and behind them what its command says, if it begins with one. The text
   * stays as it was typed. At once for a message that is no command.
   */
  attachmentsFor(place: SlashPlace, text: string, attachments: Attachment[]): Attachment[] | Promise<Attachment[]>
}

interface SlashOptions {
  taint(sessionId: string): void
  /** A source that fails must not take the others with it. */
  onTrouble(error: unknown): void
}

const patienceMs = 30_000
const longestText = 1_000_000

/** The one registry of commands that begin with a slash. */
export function createSlashCommands({ taint, onTrouble }: SlashOptions): SlashCommands {
  const sources: SlashSource[] = []

  const entries = async (place: SlashPlace): Promise<Map<string, SlashEntry>> => {
    const lists = await Promise.all(
      sources.map(async (source) => {
        try {
          return await source.list(place)
        } catch (error) {
          onTrouble(error)
          return []
        }
      }),
    )
    const byName = new Map<string, SlashEntry>()
    for (const entry of lists.flat())
      if (slashName.test(entry.name) && !byName.has(entry.name)) byName.set(entry.name, entry)
    return byName
  }

  const withCommand = async (
    place: SlashPlace,
    { name, args }: { name: string; args: string },
    attachments: Attachment[],
  ): Promise<Attachment[]> => {
    const entry = (await entries(place)).get(name)
    if (!entry) return attachments
    const expanded = await entry.expand(args, AbortSignal.timeout(patienceMs))
    if (expanded.text.length > longestText) throw new Error(`What /${name} says is longer than a message may be.`)
    if (entry.untrusted) taint(place.sessionId)
    const command = { name: `/${name}`, mimeType: commandType, data: expanded.text }
    return [...attachments, command, ...(expanded.attachments ?? [])]
  }

  return {
    add: (source) => void sources.push(source),
    list: async (place) =>
      [...(await entries(place)).values()]
        .map(({ name, description, hint, from }) => ({ name, description, hint, from }))
        .sort((one, other) => one.name.localeCompare(other.name, 'en')),
    attachmentsFor: (place, text, attachments) => {
      const typed = readSlash(text)
      return typed ? withCommand(place, typed, attachments) : attachments
    },
  }
}
