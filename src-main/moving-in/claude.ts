import { basename, join } from 'node:path'
import { readHooks } from '../hooks/read-hooks'
import { isRecord } from '../is-record'
import { type Draft, type HistoryMessage, not, ready, used } from './draft'
import { entriesOf, filesBelow, listOf, readJsonFile, shown, textOf } from './files'
import { type History, historyDrafts, jsonLines } from './history'
import { commandRule, hostRule, otherRule, pathRule, readPattern } from './rules'
import { serverDrafts } from './servers'
import { instructionDraft, sharedSkills } from './texts'

const tool = 'claude'

/** Claude Code: ~/.claude.json and ~/.claude. */
export async function findClaude(home: string): Promise<Draft[]> {
  const root = join(home, '.claude')
  const global = await readJsonFile(join(home, '.claude.json'))
  const settingsPath = join(root, 'settings.json')
  const settings = (await readJsonFile(settingsPath)) ?? {}
  const from = shown(settingsPath, home)
  const ofProjects = entriesOf(global?.projects).flatMap(([folder, project]) =>
    serverDrafts(tool, `~/.claude.json (${folder})`, isRecord(project) ? project.mcpServers : null).map((draft) =>
      draft.state === 'ready'
        ? { ...draft, note: `Of the project ${folder}; here it is for all. ${draft.note}`.trim() }
        : draft,
    ),
  )
  return [
    ...serverDrafts(tool, '~/.claude.json', global?.mcpServers),
    ...ofProjects,
    ...permissionDrafts(settings.permissions, from, home),
    ...hookDrafts(settings.hooks, from),
    ...(await commandsInPlace(join(root, 'commands'), home)),
    ...(await sharedSkills(tool, join(root, 'skills'), home)),
    ...(await instructionDraft(tool, join(root, 'CLAUDE.md'), home)),
    ...(await agentsInPlace(join(root, 'agents'), home)),
    ...(await sessionDrafts(join(root, 'projects'), home)),
  ]
}

function permissionDrafts(permissions: unknown, from: string, home: string): Draft[] {
  if (!isRecord(permissions)) return []
  return (['allow', 'deny', 'ask'] as const).flatMap((verdict) =>
    listOf(permissions[verdict]).map((entry) => permissionDraft(textOf(entry), verdict, from, home)),
  )
}

function permissionDraft(written: string, verdict: 'allow' | 'deny' | 'ask', from: string, home: string): Draft {
  const source = { tool, from, written, verdict } as const
  const [, name = '', inner = ''] = /^([\w-]+)(?:\(([\s\S]*)\))?$/.exec(written) ?? []
  if (name === 'Bash') {
    const { words, open } = readPattern(inner)
    return commandRule(source, words, open)
  }
  if (name === 'Read') return pathRule(source, 'read', inner.replace(/^\/\//, '/'), home)
  if (name === 'Edit' || name === 'Write') return pathRule(source, 'write', inner.replace(/^\/\//, '/'), home)
  if (name === 'WebFetch' && inner.startsWith('domain:')) return hostRule(source, inner.slice('domain:'.length))
  if (name.startsWith('mcp__')) return otherRule(source, 'Allow the tool on the MCP servers page once its server runs.')
  return otherRule(source, 'There is nothing like it here; the mode of a session says what runs without asking.')
}

const hookDrafts = (hooks: unknown, from: string): Draft[] => {
  const { hooks: found, warnings } = readHooks(hooks)
  return [
    ...found.map((hook) => {
      const name = `${hook.event}${hook.matcher ? ` (${hook.matcher})` : ''}`
      const wish = { tool, kind: 'hook' as const, name, from, detail: hook.command } as const
      return ready(wish, 'a hook of yours in settings.json; it runs with your rights', { kind: 'hook', hook })
    }),
    ...warnings.map((warning) => not({ tool, kind: 'hook', name: 'hook', from, detail: warning }, warning)),
  ]
}

async function commandsInPlace(folder: string, home: string): Promise<Draft[]> {
  const files = await filesBelow(folder, '.md')
  return files.map((path) => {
    const name = `/${path.slice(0, -3).replaceAll('/', ':')}`
    return used(
      { tool, kind: 'command', name, from: shown(join(folder, path), home) },
      `slash command ${name}, read where it is`,
    )
  })
}

/** Its sub-agents have no counterpart. */
const agentsInPlace = async (folder: string, home: string): Promise<Draft[]> =>
  (await filesBelow(folder, '.md', 1)).map((path) =>
    not(
      { tool, kind: 'skill', name: basename(path, '.md'), from: shown(join(folder, path), home) },
      'A sub-agent with a prompt of its own has no counterpart here. A skill with the same text comes close.',
    ),
  )

async function sessionDrafts(folder: string, home: string): Promise<Draft[]> {
  const files = await filesBelow(folder, '.jsonl', 1, 5000)
  return historyDrafts({ tool, folder, paths: files.filter((path) => path.includes('/')), home, read: readLines })
}

function readLines(text: string): History {
  const lines = jsonLines(text)
  const workspace = lines.map(({ cwd }) => textOf(cwd)).find(Boolean) ?? ''
  const title = lines.map((line) => (line.type === 'summary' ? textOf(line.summary) : '')).findLast(Boolean) ?? ''
  const messages = lines.flatMap((line): HistoryMessage[] => {
    const message = isRecord(line.message) ? line.message : {}
    const role = line.type === 'user' ? 'user' : line.type === 'assistant' ? 'assistant' : null
    if (role === null || line.isSidechain === true || line.isMeta === true) return []
    const words = typeof message.content === 'string' ? message.content : blocks(message.content)
    return words ? [{ role, text: words }] : []
  })
  return { workspace, title, messages }
}

const blocks = (content: unknown): string =>
  listOf(content)
    .flatMap((block) => (isRecord(block) && block.type === 'text' ? [textOf(block.text)] : []))
    .join('\n')
