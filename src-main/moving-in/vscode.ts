import { join } from 'node:path'
import { isRecord } from '../is-record'
import { type Draft, not } from './draft'
import { entriesOf, filesBelow, readJsonFile, shown } from './files'
import { commandRule, otherRule, plainWords } from './rules'
import { serverDrafts } from './servers'
import { commandDrafts, instructionDraft } from './texts'
import { vscodeChats } from './vscode-chats'

const tool = 'vscode'
const places = ['.config/Code/User', 'Library/Application Support/Code/User', 'AppData/Roaming/Code/User']

/** VS Code: the user's mcp.json, settings, prompts and chats. */
export async function findVscode(home: string): Promise<Draft[]> {
  return (await Promise.all(places.map((place) => inFolder(join(home, place), home)))).flat()
}

async function inFolder(root: string, home: string): Promise<Draft[]> {
  const [servers, settings] = await Promise.all([
    readJsonFile(join(root, 'mcp.json')),
    readJsonFile(join(root, 'settings.json')),
  ])
  const from = shown(join(root, 'settings.json'), home)
  const old = settings?.mcp
  const instructions = await filesBelow(join(root, 'prompts'), '.instructions.md', 1)
  return [
    ...serverDrafts(tool, shown(join(root, 'mcp.json'), home), servers?.servers),
    ...serverDrafts(tool, from, isRecord(old) ? old.servers : null),
    ...approvalDrafts(settings?.['chat.tools.terminal.autoApprove'], from),
    ...(settings?.['chat.tools.autoApprove'] === true || settings?.['chat.tools.global.autoApprove'] === true
      ? [
          not(
            { tool, kind: 'rule', name: 'approve everything', from },
            'What concerns all calls is the mode below the message box.',
          ),
        ]
      : []),
    ...(await commandDrafts(tool, join(root, 'prompts'), home, '.prompt.md')),
    ...(
      await Promise.all(instructions.map((path) => instructionDraft(tool, join(root, 'prompts', path), home)))
    ).flat(),
    ...(await vscodeChats(root, home)),
  ]
}

/** Beginnings of commands with true or false; `/…/` is a pattern. */
const approvalDrafts = (rules: unknown, from: string): Draft[] =>
  entriesOf(rules).flatMap(([written, value]) => {
    const approve = isRecord(value) ? value.approve : value
    if (approve !== true && approve !== false) return []
    const source = { tool, from, written, verdict: approve ? 'allow' : 'deny' } as const
    // False there means that it asks, not that it is forbidden.
    if (!approve) return [otherRule({ ...source, verdict: 'ask' }, 'Here everything asks that no rule or mode allows.')]
    if (written.startsWith('/')) return [otherRule(source, 'A pattern cannot be read as words.')]
    return [commandRule(source, plainWords(written), true)]
  })
