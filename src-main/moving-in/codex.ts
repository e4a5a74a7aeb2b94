import { join } from 'node:path'
import { isRecord } from '../is-record'
import { type Draft, type HistoryMessage, not } from './draft'
import { filesBelow, listOf, readText, shown, textOf } from './files'
import { type History, historyDrafts, jsonLines } from './history'
import { commandRule } from './rules'
import { serverDrafts } from './servers'
import { commandDrafts, instructionDraft, skillDrafts } from './texts'

const tool = 'codex'

/** Codex: ~/.codex. */
export async function findCodex(home: string): Promise<Draft[]> {
  const root = join(home, '.codex')
  const path = join(root, 'config.toml')
  const text = await readText(path)
  const config = text === null ? null : await readToml(text)
  const from = shown(path, home)
  const broken =
    text !== null && config === null
      ? [not({ tool, kind: 'mcp', name: 'config.toml', from }, 'It is not valid TOML.')]
      : []
  return [
    ...broken,
    ...serverDrafts(tool, from, config?.mcp_servers),
    ...(await ruleDrafts(join(root, 'rules'), home)),
    ...modeDrafts(config ?? {}, from),
    ...(await commandDrafts(tool, join(root, 'prompts'), home)),
    ...(await skillDrafts(tool, join(root, 'skills'), home)),
    ...(await instructionDraft(tool, join(root, 'AGENTS.md'), home)),
    ...(await sessionDrafts(join(root, 'sessions'), home)),
  ]
}

async function readToml(text: string): Promise<Record<string, unknown> | null> {
  const { parse } = await import('smol-toml')
  try {
    return parse(text)
  } catch {
    // It is shown as something that cannot be read.
    return null
  }
}

/** `prefix_rule(pattern = […], decision = "…")`; a list inside the pattern stands for one of its words. */
async function ruleDrafts(folder: string, home: string): Promise<Draft[]> {
  const drafts: Draft[] = []
  for (const name of await filesBelow(folder, '.rules', 1)) {
    const text = (await readText(join(folder, name))) ?? ''
    const from = shown(join(folder, name), home)
    for (const [written] of text.replace(/^\s*#.*$/gm, '').matchAll(/prefix_rule\s*\([\s\S]*?\n?\)/g)) {
      const pattern = /pattern\s*=\s*(\[[\s\S]*?\])\s*,?\s*(?:decision|justification|match|not_match|\)|$)/.exec(
        written,
      )
      const decision = /decision\s*=\s*"(\w+)"/.exec(written)?.[1] ?? 'allow'
      const verdict = ({ allow: 'allow', prompt: 'ask', forbidden: 'deny' } as const)[decision as 'allow'] ?? 'ask'
      const shortened = written.replace(/\s+/g, ' ').slice(0, 300)
      for (const words of wordsOf(pattern?.[1]))
        drafts.push(commandRule({ tool, from, written: words ? words.join(' ') : shortened, verdict }, words, true))
    }
  }
  return drafts
}

function wordsOf(list: string | undefined): (string[] | null)[] {
  let parsed: unknown
  try {
    parsed = JSON.parse((list ?? '').replace(/,\s*\]/g, ']'))
  } catch {
    // More than a list of words.
    return [null]
  }
  let lines: string[][] = [[]]
  for (const each of listOf(parsed)) {
    const choices = (Array.isArray(each) ? each : [each]).map(String)
    lines = lines.flatMap((line) => choices.map((choice) => [...line, choice])).slice(0, 50)
  }
  return lines
}

/** What concerns all commands is a mode here, and chosen by the user. */
const modeDrafts = (config: Record<string, unknown>, from: string): Draft[] =>
  ['approval_policy', 'sandbox_mode'].flatMap((name) =>
    textOf(config[name])
      ? [
          not(
            { tool, kind: 'rule', name: `${name} = ${textOf(config[name])}`, from },
            'How much is asked is the mode below the message box, and the sandbox is the switch beside it.',
          ),
        ]
      : [],
  )

async function sessionDrafts(folder: string, home: string): Promise<Draft[]> {
  return historyDrafts({ tool, folder, paths: await filesBelow(folder, '.jsonl', 4, 5000), home, read: readLines })
}

function readLines(text: string): History {
  const lines = jsonLines(text)
  const meta = lines.find(({ type }) => type === 'session_meta')
  const workspace = isRecord(meta?.payload) ? textOf(meta.payload.cwd) : ''
  const messages = lines.flatMap(({ type, payload }): HistoryMessage[] => {
    if (type !== 'response_item' || !isRecord(payload) || payload.type !== 'message') return []
    const role = payload.role === 'user' ? 'user' : payload.role === 'assistant' ? 'assistant' : null
    const words = listOf(payload.content)
      .map((part) => (isRecord(part) ? textOf(part.text) : ''))
      .join('\n')
    // What the program itself says in the user's name is wrapped in marks.
    return role && !/^<(?:environment_context|user_instructions|permissions)/.test(words) ? [{ role, text: words }] : []
  })
  return { workspace, title: '', messages }
}
