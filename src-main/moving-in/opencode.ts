import { existsSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { ImportTool } from '../../src-preload/contract/moving-in'
import { isRecord } from '../is-record'
import { type Draft, type HistoryMessage, not, ready } from './draft'
import { entriesOf, filesBelow, readJsonFile, shown, textOf } from './files'
import { newest, sessionDraft } from './history'
import { readDatabase } from './opencode-database'
import { commandRule, otherRule, readPattern } from './rules'
import { serverDrafts } from './servers'
import { commandDrafts, instructionDraft, skillDrafts } from './texts'

const tool: ImportTool = 'opencode'

/** opencode: ~/.config/opencode, and its sessions in ~/.local/share/opencode. */
export async function findOpencode(home: string): Promise<Draft[]> {
  const root = join(home, '.config/opencode')
  const drafts: Draft[] = []
  for (const name of ['opencode.json', 'opencode.jsonc', 'config.json']) {
    const path = join(root, name)
    const config = await readJsonFile(path)
    if (!config) continue
    const from = shown(path, home)
    drafts.push(
      ...serverDrafts(tool, from, config.mcp),
      ...permissionDrafts(config.permission, from),
      ...templateDrafts(config.command, from),
    )
    if (config.agent)
      drafts.push(not({ tool, kind: 'skill', name: 'agent', from }, 'Agents of opencode have no counterpart here.'))
  }
  const folders = ['command', 'commands'].map((name) => commandDrafts(tool, join(root, name), home))
  const skills = ['skill', 'skills'].map((name) => skillDrafts(tool, join(root, name), home))
  return [
    ...drafts,
    ...(await Promise.all([...folders, ...skills])).flat(),
    ...(await instructionDraft(tool, join(root, 'AGENTS.md'), home)),
    ...(await sessionDrafts(join(home, '.local/share/opencode'), home)),
  ]
}

const verdictOf = (value: unknown): 'allow' | 'deny' | 'ask' | null =>
  value === 'allow' || value === 'deny' || value === 'ask' ? value : null

function permissionDrafts(permission: unknown, from: string): Draft[] {
  const all = verdictOf(permission)
  const source = (written: string, verdict: 'allow' | 'deny' | 'ask') => ({ tool, from, written, verdict })
  const wide = 'What concerns a whole kind of call is the mode below the message box.'
  if (all) return [otherRule(source('*', all), wide)]
  return entriesOf(permission).flatMap(([key, value]) => {
    const whole = verdictOf(value)
    if (whole) return [otherRule(source(key, whole), wide)]
    return entriesOf(value).flatMap(([pattern, each]) => {
      const verdict = verdictOf(each)
      if (!verdict) return []
      const written = source(`${key}: ${pattern}`, verdict)
      if (key !== 'bash')
        return [otherRule(written, 'Patterns for files have no counterpart: a rule names one file or one folder.')]
      const { words, open } = readPattern(pattern)
      return [commandRule(written, words, open)]
    })
  })
}

/** Commands inside the configuration. */
const templateDrafts = (commands: unknown, from: string): Draft[] =>
  entriesOf(commands).flatMap(([name, value]) => {
    const template = isRecord(value) ? textOf(value.template) : ''
    if (!template) return []
    const description = isRecord(value) ? textOf(value.description) : ''
    const text = description ? `---\ndescription: ${JSON.stringify(description)}\n---\n${template}` : template
    const wish = { tool, kind: 'command' as const, name: `/${name}`, from, detail: template.slice(0, 2000) }
    return [ready(wish, `slash command /${name}`, { kind: 'command', name, text })]
  })

const mostSessions = 100

/** In a database, and before that one file for each session, message and part. What a version moved over is in both. */
async function sessionDrafts(root: string, home: string): Promise<Draft[]> {
  const file = join(root, 'opencode.db')
  const stored = existsSync(file) ? await readDatabase(file, mostSessions) : []
  const unread = 'Its database could not be read. opencode export writes a session as a file.'
  const broken =
    stored === null ? [not({ tool, kind: 'session', name: 'sessions', from: shown(file, home) }, unread)] : []
  const drafts = await Promise.all(
    (stored ?? []).map(({ id, history }) => sessionDraft({ tool, file, home, source: `opencode:${id}`, history })),
  )
  const older = await olderSessions(join(root, 'storage'), home, new Set(stored?.map(({ id }) => id)))
  return [...broken, ...drafts.flat(), ...older]
}

async function olderSessions(storage: string, home: string, known: ReadonlySet<string>): Promise<Draft[]> {
  const all = await filesBelow(join(storage, 'session'), '.json', 2, 5000)
  const files = await newest(join(storage, 'session'), all, mostSessions)
  const drafts = await Promise.all(
    files.map(async (path) => {
      const file = join(storage, 'session', path)
      const session = await readJsonFile(file)
      if (!session || dirname(path) === 'share') return []
      const id = textOf(session.id) || basename(path, '.json')
      if (known.has(id)) return []
      const history = {
        workspace: textOf(session.directory),
        title: textOf(session.title),
        messages: await messagesOf(storage, id),
      }
      return sessionDraft({ tool, file, home, source: `opencode:${id}`, history })
    }),
  )
  return drafts.flat()
}

async function messagesOf(storage: string, sessionId: string): Promise<HistoryMessage[]> {
  const messages: HistoryMessage[] = []
  for (const name of await filesBelow(join(storage, 'message', sessionId), '.json', 0)) {
    const message = await readJsonFile(join(storage, 'message', sessionId, name))
    const role = message?.role === 'user' || message?.role === 'assistant' ? message.role : null
    if (!role) continue
    const folder = join(storage, 'part', basename(name, '.json'))
    const texts: string[] = []
    for (const part of await filesBelow(folder, '.json', 0)) {
      const read = await readJsonFile(join(folder, part))
      if (read?.type === 'text' && read.synthetic !== true) texts.push(textOf(read.text))
    }
    messages.push({ role, text: texts.join('\n') })
  }
  return messages
}
