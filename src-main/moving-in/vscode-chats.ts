import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isRecord } from '../is-record'
import type { Draft, HistoryMessage } from './draft'
import { filesBelow, listOf, readJson, readJsonFile, textOf } from './files'
import { historyDrafts, jsonLines } from './history'

/**
 * Chats of VS Code: a file for each, beside the state of the folder that they were about. First they were one JSON value;
 * since then each is a log of what changed in that value.
 */
export async function vscodeChats(user: string, home: string): Promise<Draft[]> {
  const places = ['workspaceStorage', 'globalStorage/emptyWindowChatSessions'].flatMap((place) =>
    ['.json', '.jsonl'].map(async (ending) =>
      (await filesBelow(join(user, place), ending, 2, 5000)).map((path) => `${place}/${path}`),
    ),
  )
  const chats = (await Promise.all(places)).flat().filter((path) => /ChatSessions\/|\/chatSessions\//.test(path))
  // A chat that was moved over to the newer form is left in the older one.
  const files = chats.filter((path) => !chats.includes(`${path}l`))
  return historyDrafts({
    tool: 'vscode',
    folder: user,
    paths: files,
    home,
    read: async (text, file) => {
      const place = await readJsonFile(join(dirname(dirname(file)), 'workspace.json'))
      const chat = file.endsWith('.jsonl') ? replayed(text) : readJson(text)
      return {
        workspace: folderOf(textOf(place?.folder)),
        title: textOf(chat?.customTitle),
        messages: listOf(chat?.requests).flatMap(messagesOf),
      }
    },
  })
}

function messagesOf(request: unknown): HistoryMessage[] {
  if (!isRecord(request)) return []
  const answer = listOf(request.response)
    .map((part) => (isRecord(part) && part.kind === undefined ? textOf(part.value) : ''))
    .join('')
  return [
    { role: 'user', text: isRecord(request.message) ? textOf(request.message.text) : '' },
    { role: 'assistant', text: answer },
  ]
}

/** The value that a log comes to: 0 sets all of it, 1 a member, 2 adds to a list that is cut before, 3 removes a member. */
function replayed(text: string): Record<string, unknown> | null {
  let chat: unknown = null
  for (const { kind, k, v, i } of jsonLines(text)) {
    if (kind === 0) chat = v
    const keys = listOf(k)
    const last = keys.at(-1)
    const parent = keys.slice(0, -1).reduce(memberOf, chat)
    if (!isKey(last) || !canHave(parent, last)) continue
    if (kind === 1) parent[last] = v
    if (kind === 3) delete parent[last]
    if (kind !== 2) continue
    const list = listOf(parent[last])
    parent[last] = [...list.slice(0, typeof i === 'number' ? i : list.length), ...listOf(v)]
  }
  return isRecord(chat) ? chat : null
}

const isKey = (key: unknown): key is string | number => typeof key === 'string' || typeof key === 'number'

/** The words come from a file: what would name a prototype, or make a list of any length, names nothing. */
const canHave = (value: unknown, key: string | number): value is Record<string | number, unknown> =>
  Array.isArray(value)
    ? typeof key === 'number' && Number.isInteger(key) && key >= 0 && key <= value.length
    : isRecord(value) && typeof key === 'string' && key !== '__proto__'

const memberOf = (value: unknown, key: unknown): unknown => (isKey(key) && canHave(value, key) ? value[key] : null)

function folderOf(address: string): string {
  try {
    return address.startsWith('file:') ? fileURLToPath(address) : ''
  } catch {
    // A folder on another machine.
    return ''
  }
}
