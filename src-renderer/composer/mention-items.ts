import type { McpResource } from '../../src-preload/contract/mcp'
import type { ProcessInfo } from '../../src-preload/contract/processes'
import type { MentionedFile } from '../../src-preload/contract/writing'
import { call } from '../state/bridge'
import { sortedSessions } from '../state/sessions'
import { getState } from '../state/store'
import { toast } from '../state/toasts'
import { addAttachments } from './attachments'

/** Something that an `@` can name. What is not a file is attached to the message; `words` is its name in the text. */
export type MentionItem =
  | { kind: 'file' | 'folder'; id: string; label: string; detail: string; path: string }
  | { kind: 'terminal'; id: string; label: string; detail: string; processId: string; words: string }
  | { kind: 'session'; id: string; label: string; detail: string; otherId: string; words: string }
  | { kind: 'resource'; id: string; label: string; detail: string; server: string; uri: string; words: string }

const mostOfKind = 6
/** An attached file can have a megabyte of text; of a longer output the end is kept. */
const longestOutput = 400_000

/** Calls `tell` with what matches a word, and again if resources of servers match too. */
export async function mentionItems(
  sessionId: string,
  word: string,
  tell: (items: MentionItem[]) => void,
): Promise<void> {
  const files = call('mention.files', { sessionId, query: word })
  const resources = resourcesOf(sessionId)
  const near = [...terminals(sessionId, word), ...sessions(sessionId, word)]
  // A folder that cannot be read must not hide the rest.
  const paths = await files.catch((error: Error) => {
    toast({ kind: 'error', text: error.message })
    return []
  })
  const known = [...paths.map(fileItem), ...near]
  tell(known)
  const served = (await resources)
    .filter(({ name, uri }) => fits(word)({ label: `${name} ${uri}` }))
    .slice(0, mostOfKind)
    .map(resourceItem)
  if (served.length > 0) tell([...known, ...served])
}

/** Reads what was chosen and attaches it to the next message. */
export async function attachMentioned(sessionId: string, item: Exclude<MentionItem, { path: string }>): Promise<void> {
  switch (item.kind) {
    case 'terminal': {
      const text = await call('process.text', { id: item.processId })
      const data = text.length > longestOutput ? `…${text.slice(-longestOutput)}` : text
      return addAttachments(sessionId, [{ name: `Output of ${item.label}.txt`, mimeType: 'text/plain', data }])
    }
    case 'session':
      return addAttachments(sessionId, [await call('mention.session', { sessionId, otherId: item.otherId })])
    case 'resource': {
      const { server, uri } = item
      return addAttachments(sessionId, await call('mcp.readResource', { sessionId, server, uri }))
    }
  }
}

const fits =
  (word: string) =>
  ({ label }: { label: string }): boolean =>
    label.toLowerCase().includes(word.toLowerCase())

const fileItem = ({ path, folder }: MentionedFile): MentionItem => {
  const bare = path.replace(/\/$/, '')
  const cut = bare.lastIndexOf('/') + 1
  return {
    kind: folder ? 'folder' : 'file',
    id: path,
    label: `${bare.slice(cut)}${folder ? '/' : ''}`,
    detail: bare.slice(0, cut),
    path,
  }
}

function terminals(sessionId: string, word: string): MentionItem[] {
  return Object.values(getState().processes)
    .filter((process) => process.sessionId === sessionId)
    .sort((one, other) => other.startedAt - one.startedAt)
    .map(terminalItem)
    .filter(fits(word))
    .slice(0, mostOfKind)
}

const terminalItem = ({ id, title, command, status }: ProcessInfo): MentionItem => {
  const name = (title || command).replace(/\s+/g, ' ').slice(0, 60)
  return {
    kind: 'terminal',
    id,
    label: name,
    detail: status === 'running' ? 'Output so far' : 'Output',
    processId: id,
    words: `the output of \`${name.replaceAll('`', "'")}\``,
  }
}

const sessions = (sessionId: string, word: string): MentionItem[] =>
  sortedSessions(getState().sessions)
    .filter(({ id, archived, title }) => id !== sessionId && !archived && title !== '' && title !== 'New session')
    .map(
      ({ id, title }): MentionItem => ({
        kind: 'session',
        id,
        label: title,
        detail: 'Session',
        otherId: id,
        words: `the session “${title}”`,
      }),
    )
    .filter(fits(word))
    .slice(0, mostOfKind)

/** Servers may take long to answer, or not answer at all: their resources are optional. */
async function resourcesOf(sessionId: string): Promise<McpResource[]> {
  if (!getState().mcp?.some(({ state }) => state === 'ready')) return []
  return call('mcp.resources', { sessionId }).catch((error: Error) => {
    toast({ kind: 'error', text: error.message })
    return []
  })
}

const resourceItem = ({ server, uri, name }: McpResource): MentionItem => ({
  kind: 'resource',
  id: `${server} ${uri}`,
  label: name || uri,
  detail: server,
  server,
  uri,
  words: `the resource “${name || uri}”`,
})
