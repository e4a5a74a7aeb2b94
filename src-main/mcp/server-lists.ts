import type { Client, Prompt } from '@modelcontextprotocol/client'
import type { ConnectionOptions } from './connection-types'
import { messageOf } from './failures'
import { cleanPrompts, type McpPrompt } from './prompts'
import { cleanDefinition, type McpDefinition } from './tool-definition'

type ListedTool = Parameters<typeof cleanDefinition>[0]

const mostTools = 500

/** The tools and prompts that a server has listed, cleaned. `ready` is called when its tools are known. */
export function createServerLists(name: string, log: ConnectionOptions['log'], ready: () => void, changed: () => void) {
  let tools: McpDefinition[] = []
  let prompts: McpPrompt[] = []
  /** What the user should know of the list of tools; empty for nothing. */
  let note = ''

  const unreadable = (what: string, why = ''): void => log('deckhand', `The list of ${what} could not be read: ${why}`)

  const takeTools = (failure: Error | null, list: ListedTool[] | null): void => {
    if (failure || !list) {
      unreadable('tools', failure?.message)
      return
    }
    const before = note
    note =
      list.length > mostTools
        ? `It has ${list.length} tools, which is too many: the first ${mostTools} are used, and the others are left out.`
        : ''
    if (note !== '' && note !== before) log('deckhand', note)
    const cleaned = list.slice(0, mostTools).map(cleanDefinition)
    // The first of two tools with the same name wins: a later one must not replace it unnoticed.
    const byName = new Map<string, McpDefinition>()
    for (const each of cleaned) {
      if (typeof each === 'string') log('deckhand', each)
      else if (!byName.has(each.name)) byName.set(each.name, each)
    }
    tools = [...byName.values()]
    ready()
  }

  const takePrompts = (failure: Error | null, list: Prompt[] | null): void => {
    if (failure || !list) {
      unreadable('prompts', failure?.message)
      return
    }
    prompts = cleanPrompts(name, list)
    changed()
  }

  /** A server whose prompts cannot be read still has its tools. */
  const listedPrompts = async (client: Client, timeout: number): Promise<Prompt[]> => {
    try {
      return (await client.listPrompts(undefined, { timeout })).prompts
    } catch (failure) {
      unreadable('prompts', messageOf(failure))
      return []
    }
  }

  return {
    get tools() {
      return tools
    },
    get prompts() {
      return prompts
    },
    get note() {
      return note
    },
    takeTools,
    takePrompts,
    /** Reads what the server offers, once it is connected. */
    async read(client: Client, timeout: number): Promise<ListedTool[]> {
      const offers = client.getServerCapabilities()
      if (offers?.prompts) prompts = cleanPrompts(name, await listedPrompts(client, timeout))
      return offers?.tools ? (await client.listTools(undefined, { timeout })).tools : []
    },
    dropTools: (): void => {
      tools = []
      note = ''
    },
  }
}
