import { dirname, join } from 'node:path'
import { isRecord } from '../is-record'
import type { Draft, HistoryMessage } from './draft'
import { filesBelow, listOf, readJson, readText, textOf } from './files'
import { type History, historyDrafts, jsonLines } from './history'

/**
 * Chats of Gemini CLI: a file for each, in a folder for each project. First they were one JSON value; since then each is a
 * log, in which messages are written again when they change. Chats of its sub-agents have other names.
 */
export async function geminiChats(folder: string, home: string): Promise<Draft[]> {
  const all = await Promise.all(['.json', '.jsonl'].map((ending) => filesBelow(folder, ending, 2, 5000)))
  const chats = all.flat().filter((path) => /\/chats\/session-[^/]+$/.test(`/${path}`))
  return historyDrafts({
    tool: 'gemini',
    folder,
    paths: chats,
    home,
    read: async (text, file) => {
      const place = await readText(join(dirname(dirname(file)), '.project_root'))
      return { ...(file.endsWith('.jsonl') ? readLog(text) : readChat(text)), workspace: place?.trim() ?? '' }
    },
  })
}

type Told = Omit<History, 'workspace'>

function readChat(text: string): Told {
  const chat = readJson(text)
  return { title: textOf(chat?.summary), messages: listOf(chat?.messages).flatMap(messageOf) }
}

function readLog(text: string): Told {
  const messages = new Map<string, unknown>()
  let title = ''
  const put = (message: unknown): void => {
    if (isRecord(message) && textOf(message.id)) messages.set(textOf(message.id), message)
  }
  for (const line of jsonLines(text)) {
    const { $set: set, $rewindTo: rewindTo } = line
    if (isRecord(set)) {
      title = textOf(set.summary) || title
      if (Array.isArray(set.messages)) {
        messages.clear()
        set.messages.forEach(put)
      }
    } else if (typeof rewindTo === 'string') {
      const ids = [...messages.keys()]
      const at = ids.indexOf(rewindTo)
      if (at >= 0) for (const id of ids.slice(at)) messages.delete(id)
    } else put(line)
  }
  return { title, messages: [...messages.values()].flatMap(messageOf) }
}

function messageOf(message: unknown): HistoryMessage[] {
  if (!isRecord(message)) return []
  const role = message.type === 'user' ? 'user' : message.type === 'gemini' ? 'assistant' : null
  const parts = listOf(message.content).map((part) => (isRecord(part) ? textOf(part.text) : ''))
  const text = typeof message.content === 'string' ? message.content : parts.join('\n')
  // What the program itself says in the user's name is wrapped in a mark.
  return role && !text.startsWith('<session_context>') ? [{ role, text }] : []
}
