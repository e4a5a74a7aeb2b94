import { isReservedName, isWebAddress, serverIdRule } from '../../src-preload/contract/field-rules'
import type { McpServerConfig, McpServerInfo } from '../../src-preload/contract/mcp'
import { fieldErrors } from '../page/field-errors'

/** A server as it is typed. */
export interface ServerDraft {
  id: string
  /** The id it had when the form was opened; absent for a new one. */
  previousId?: string
  kind: 'command' | 'url'
  command: string
  cwd: string
  url: string
  /** `NAME=value`, one per line; headers as `Name: value`. */
  variables: string
  headers: string
  tellFolder: boolean
  enabled: boolean
}

/** Stands for a value that is stored and not shown. */
export const hidden = '••••••••'

export const emptyDraft: ServerDraft = {
  id: '',
  kind: 'command',
  command: '',
  cwd: '',
  url: '',
  variables: '',
  headers: '',
  tellFolder: false,
  enabled: true,
}

export function draftFromServer({ id, config, transport }: McpServerInfo): ServerDraft {
  return { ...draftFromConfig(id, config), previousId: id, kind: transport === 'http' ? 'url' : 'command' }
}

export function draftFromConfig(id: string, config: McpServerConfig): ServerDraft {
  const lines = (values: Record<string, string> = {}, secrets: string[] = [], sign: string): string =>
    [
      ...Object.entries(values).map(([name, value]) => `${name}${sign}${value}`),
      ...secrets.map((name) => `${name}${sign}${hidden}`),
    ].join('\n')
  return {
    id,
    kind: config.command ? 'command' : config.url ? 'url' : 'command',
    command: joinWords([config.command ?? '', ...(config.args ?? [])].filter((word, at) => at > 0 || word !== '')),
    cwd: config.cwd ?? '',
    url: config.url ?? '',
    variables: lines(config.env, config.secretEnv, '='),
    headers: lines(config.headers, config.secretHeaders, ': '),
    tellFolder: config.tellFolder ?? false,
    enabled: config.enabled,
  }
}

/** What is wrong with a draft, as a message for each field. */
export function draftErrors(draft: ServerDraft, taken: readonly string[]) {
  const words = splitWords(draft.command)
  const runs = draft.kind === 'command'
  const isTaken = draft.id !== draft.previousId && taken.includes(draft.id)
  return fieldErrors({
    id: isTaken
      ? `A server named ${draft.id} already exists.`
      : isReservedName(draft.id)
        ? 'This name is reserved.'
        : [draft.id, serverIdRule],
    command:
      runs &&
      (words === null
        ? 'A quote is missing its end.'
        : words.length === 0 && 'Enter the command that starts the server.'),
    variables: runs && readPairs(draft.variables, '=') === null && 'Write each line as NAME=value.',
    url: !runs && !isWebAddress(draft.url.trim()) && 'Enter a URL that starts with http:// or https://.',
    headers: !runs && readPairs(draft.headers, ':') === null && 'Write each line as Name: value.',
  })
}

/** The configuration for main: secret values that are already stored are named, not sent. */
export function toConfig(draft: ServerDraft): McpServerConfig {
  const shared = { enabled: draft.enabled, ...(draft.tellFolder && { tellFolder: true }) }
  const sorted = (text: string, sign: string) => {
    const pairs = readPairs(text, sign) ?? []
    return {
      open: Object.fromEntries(pairs.filter(([, value]) => value !== hidden)),
      stored: pairs.filter(([, value]) => value === hidden).map(([name]) => name),
    }
  }
  if (draft.kind === 'url') {
    const { open, stored } = sorted(draft.headers, ':')
    return { url: draft.url.trim(), headers: open, secretHeaders: stored, ...shared }
  }
  const [command = '', ...args] = splitWords(draft.command) ?? []
  const { open, stored } = sorted(draft.variables, '=')
  return { command, args, env: open, secretEnv: stored, ...shared, ...(draft.cwd.trim() && { cwd: draft.cwd.trim() }) }
}

function readPairs(text: string, sign: string): [string, string][] | null {
  const pairs: [string, string][] = []
  for (const line of text.split('\n').map((each) => each.trim())) {
    if (line === '') continue
    const at = line.indexOf(sign)
    if (at < 1) return null
    pairs.push([line.slice(0, at).trim(), line.slice(at + 1).trim()])
  }
  return pairs
}

/** Words as a shell would split them, respecting quotes; nothing is expanded. `null` if a quote is not closed. */
export function splitWords(text: string): string[] | null {
  const words: string[] = []
  let word: string | null = null
  let quote = ''
  for (let at = 0; at < text.length; at++) {
    const letter = text[at] ?? ''
    if (quote) {
      if (letter === quote) quote = ''
      else if (quote === '"' && letter === '\\' && /["\\]/.test(text[at + 1] ?? ''))
        word = (word ?? '') + (text[++at] ?? '')
      else word = (word ?? '') + letter
    } else if (letter === '"' || letter === "'") {
      quote = letter
      word ??= ''
    } else if (/\s/.test(letter)) {
      if (word !== null) words.push(word)
      word = null
    } else word = (word ?? '') + letter
  }
  if (quote) return null
  if (word !== null) words.push(word)
  return words
}

export const joinWords = (words: readonly string[]): string =>
  words.map((word) => (word !== '' && !/[\s"'\\]/.test(word) ? word : `"${word.replace(/["\\]/g, '\\$&')}"`)).join(' ')
