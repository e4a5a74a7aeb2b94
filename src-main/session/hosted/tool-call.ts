import type { Content } from '../../../src-preload/contract/content'
import type { FileDiff } from '../../../src-preload/contract/file-diff'
import type { Display } from '../../../src-preload/contract/tool-calls'
import { fileDiff } from '../../changes/file-diff'
import type { HostedBlock, HostedToolFields } from '../../hosts/updates'
import { displayPath } from '../../tools/files/paths'
import { tailChars } from '../../tools/shell/shell'
import type { ToolResult } from '../../tools/tool'
import { commandIn, passedOn, pathsIn } from './raw-input'

/** Calls of hosted agents in our own terms: names, summary lines, results. */

const longestArguments = 64_000
const mostText = 1_000_000
const shownImages = /^image\/(?:png|jpeg|gif|webp)$/

const kindNames = new Map([
  ['read', 'Read'],
  ['edit', 'Edit'],
  ['delete', 'Delete'],
  ['move', 'Move'],
  ['search', 'Search'],
  ['execute', 'Bash'],
  ['think', 'Think'],
  ['fetch', 'Fetch'],
  ['switch_mode', 'Mode'],
])

/** Everything that an agent has reported of a call so far. */
export type ToolFields = Omit<HostedToolFields, '_meta'> & {
  /** The output of its command, if the agent runs it itself. */
  output?: { text: string; exitCode?: number | null }
  /** The real kind of the call, if the agent reports a vaguer one. */
  known?: 'edit'
}

/**
 * goose reports its own file tools as `other` when it asks for permission, and then has us write the file. These are
 * judged by the file, and asked about once.
 */
const ownEdits = new Set(['write', 'edit'])

const mostOutput = 200_000

/** The fields of a call after its first report. */
export const begun = (told: HostedToolFields): ToolFields => merged({ toolCallId: told.toolCallId }, told)

/** An update contains only what changed; everything else stays, and output is appended. */
export function merged(before: ToolFields, { _meta, ...update }: HostedToolFields): ToolFields {
  const changed = Object.entries(update).filter(([, value]) => value !== undefined && value !== null)
  const more = _meta?.terminal_output_delta?.data ?? _meta?.terminal_output?.data
  const exit = _meta?.terminal_exit
  const output = more === undefined && !exit ? before.output : { ...before.output, text: before.output?.text ?? '' }
  if (output && more !== undefined) output.text = (output.text + more).slice(-mostOutput)
  if (output && exit) output.exitCode = exit.exit_code ?? null
  const { toolName, extensionName } = _meta?.goose?.toolCall ?? {}
  const known = extensionName === 'developer' && ownEdits.has(toolName ?? '') ? 'edit' : before.known
  const kind = update.kind ?? before.kind ?? 'other'
  const name = update.name ?? _meta?.goose?.toolCall?.toolName ?? _meta?.toolName
  return {
    ...before,
    ...Object.fromEntries(changed),
    ...(name && { name }),
    ...(known && { known }),
    ...(known && kind === 'other' && { kind: known }),
    ...(output && { output }),
  }
}

export const oneLine = (text: string, most = 200): string => {
  const line = text.replace(/\s+/g, ' ').trim()
  return line.length > most ? `${line.slice(0, most - 1)}…` : line
}

export function nameOf(fields: ToolFields): string {
  const { name, kind, rawInput } = { ...fields, ...passedOn(fields.name, fields.rawInput) }
  if (commandIn(rawInput, kind) !== null) return 'Bash'
  return kindNames.get(kind ?? '') ?? (name && /^[\w.:-]{1,60}$/.test(name) ? name : 'Tool')
}

/** One line for the card: what the call works on if that is known, otherwise the agent's title for it. */
export function gistOf(fields: ToolFields, workspace: string): string {
  const inner = passedOn(fields.name, fields.rawInput)
  const { title, kind, rawInput, locations, content } = { ...fields, ...inner }
  const command = commandIn(rawInput, kind)
  if (command !== null) return oneLine(command)
  const paths = pathsIn(rawInput, locations ?? [], changedIn(content), workspace)
  const [first] = paths
  if (first && kind !== 'other') {
    const more = paths.length > 1 ? ` and ${paths.length - 1} more` : ''
    return oneLine(`${displayPath(first, workspace)}${more}`)
  }
  return oneLine(inner ? JSON.stringify(inner.rawInput) : (title ?? ''))
}

const changedIn = (content: ToolFields['content']): { path: string }[] =>
  (content ?? []).flatMap((part) => (part.type === 'diff' ? [part] : []))

export function argumentsOf({ rawInput }: ToolFields): string {
  const text = JSON.stringify(rawInput ?? {}) ?? '{}'
  return text.length <= longestArguments ? text : JSON.stringify({ shortened: text.slice(0, longestArguments) })
}

/** The current display of a terminal that the agent refers to; null if there is no such terminal. */
export type TerminalDisplay = (terminalId: string) => Display | null

export const diffsOf = ({ content }: ToolFields, workspace: string): FileDiff[] =>
  (content ?? []).flatMap((part) =>
    part.type === 'diff' ? [fileDiff(displayPath(part.path, workspace), part.oldText ?? null, part.newText)] : [],
  )

/** The result of a call as the agent reports it, for the screen and for the record. */
export function resultOf(fields: ToolFields, workspace: string, terminal: TerminalDisplay): ToolResult {
  const { content, rawOutput, status, output } = fields
  const parts: Content[] = []
  let process: Display | null = null
  for (const part of content ?? []) {
    if (part.type === 'content') parts.push(contentOf(part.content))
    if (part.type === 'terminal') process = terminal(part.terminalId) ?? process
  }
  if (output && !process) {
    parts.push({ type: 'text', text: output.text })
    process = reportedDisplay(fields)
  }
  const diffs = diffsOf(fields, workspace)
  if (parts.length === 0 && diffs.length === 0 && !process && rawOutput !== undefined && rawOutput !== null)
    parts.push({ type: 'text', text: rawText(rawOutput) })
  for (const { path, patch } of parts.length === 0 ? diffs : []) parts.push({ type: 'text', text: `${path}\n${patch}` })
  const image = parts.find((part) => part.type === 'image')
  const display: Display | null =
    process ??
    (diffs.length > 0
      ? { type: 'diff', files: diffs }
      : image?.type === 'image'
        ? { type: 'image', path: 'image', mimeType: image.mimeType, data: image.data }
        : null)
  return {
    content: parts.length > 0 ? parts : [{ type: 'text', text: '' }],
    display: display ?? undefined,
    ...(status === 'failed' && { isError: true as const }),
  }
}

/** A command that the agent ran itself: there is no terminal of ours to open. */
const reportedDisplay = ({ rawInput, kind, title, output }: ToolFields): Display => ({
  type: 'process',
  processId: '',
  command: commandIn(rawInput, kind) ?? title ?? '',
  tail: (output?.text ?? '').slice(-tailChars),
  exitCode: output?.exitCode,
})

export function contentOf(block: HostedBlock): Content {
  switch (block.type) {
    case 'text':
      return text(block.text)
    case 'image':
      return shownImages.test(block.mimeType)
        ? { type: 'image', data: block.data, mimeType: block.mimeType }
        : text(`[An image (${block.mimeType}), which cannot be shown]`)
    case 'audio':
      return text(`[Audio (${block.mimeType}), which cannot be shown]`)
    case 'resource_link':
      return text(`[${block.name}: ${block.uri}]`)
    case 'resource': {
      const { uri, text: words, mimeType } = block.resource
      return text(words ? `[${uri}]\n${words}` : `[${uri} (${mimeType ?? 'unknown type'}), which cannot be shown]`)
    }
  }
}

const text = (words: string): Content => ({ type: 'text', text: words.slice(0, mostText) })

/**
 * Agents report the output of their own tools in many forms; text under a common key is preferred to the whole object.
 */
function rawText(raw: unknown): string {
  if (typeof raw === 'string') return raw.slice(0, mostText)
  const record = raw as Record<string, unknown>
  for (const key of ['output', 'stdout', 'text', 'content', 'result']) {
    const value = Object.hasOwn(record, key) ? record[key] : undefined
    if (typeof value === 'string') return value.slice(0, mostText)
  }
  return (JSON.stringify(raw, null, 2) ?? '').slice(0, mostText)
}
