import { createHash } from 'node:crypto'
import type { McpServerConfig } from '../../src-preload/contract/mcp'
import { transportOf } from './server-config'

/** A tool as its server describes it, without invisible characters. */
export interface McpDefinition {
  /** The server's own name for it. */
  name: string
  description: string
  schema: Record<string, unknown>
}

const maxDescription = 4000
const maxSchemaBytes = 40_000
/** The longest function name that providers accept. */
const maxName = 64

const unseen = /[\p{Cc}\p{Cf}\p{Co}\p{Cn}\u{E0000}-\u{E0FFF}]/gu
const keepsLines = /[^\P{Cc}\n\t]|[\p{Cf}\p{Co}\p{Cn}]/gu

/** The definition in a safe form, or the reason why it cannot be used. */
export function cleanDefinition(tool: {
  name: string
  description?: string | undefined
  inputSchema?: unknown
}): McpDefinition | string {
  const name = tool.name
  if (name === '' || name.length > 1000) return 'A tool has a name that cannot be used'
  const schema = typeof tool.inputSchema === 'object' && tool.inputSchema !== null ? tool.inputSchema : {}
  const json = JSON.stringify(schema)
  if (Buffer.byteLength(json) > maxSchemaBytes)
    return `The tool ${shownName(name)} has arguments that take ${json.length} characters to describe, so it is left out`
  return {
    name,
    description: (tool.description ?? '').toWellFormed().replace(keepsLines, '').slice(0, maxDescription).trim(),
    schema: { ...JSON.parse(json.replace(/[\u200B-\u200F\u202A-\u202E\u2060-\u206F\uFEFF]/g, '')), type: 'object' },
  }
}

/** For display: without control characters, direction marks or markup, which a name should not have. */
export const shownName = (name: string): string =>
  name
    .toWellFormed()
    .replace(unseen, '')
    .replace(/[<>&"'`]/g, '_')
    .slice(0, 80)

/** A server's text for display, on one line. */
export const shownText = (text: string, most: number): string => {
  const plain = text.toWellFormed().replace(/\s+/g, ' ').replace(unseen, '').trim()
  return plain.length > most ? `${plain.slice(0, most - 1)}…` : plain
}

/** `{server}__{tool}` in the characters that providers allow. A name that had to be changed gets a unique suffix. */
export function fullName(server: string, tool: string): string {
  const plain = `${server}__${tool}`
  if (/^[A-Za-z0-9_-]+$/.test(plain) && plain.length <= maxName) return plain
  const mark = `_${digest(tool).slice(0, 6)}`
  return `${server}__${tool.replace(/[^A-Za-z0-9_-]+/g, '_')}`.slice(0, maxName - mark.length) + mark
}

/** What an approval is bound to: the program or address behind the tool, and its complete definition. */
export function definitionHash(config: McpServerConfig, tool: McpDefinition): string {
  const { command = '', args = [], cwd = '', url = '' } = config
  const behind = transportOf(config) === 'stdio' ? { command, args, cwd } : { url }
  return digest(JSON.stringify([behind, tool.name, tool.description, tool.schema]))
}

/** For display when two definitions are compared. */
export const definitionText = (config: McpServerConfig, { name, description, schema }: McpDefinition): string => {
  const { command, args = [], url = '' } = config
  const behind = transportOf(config) === 'stdio' ? [command, ...args].join(' ') : url
  return `${shownName(name)}\n${behind}\n\n${description}\n\n${JSON.stringify(schema, null, 2)}\n`
}

const digest = (text: string): string => createHash('sha256').update(text).digest('hex')
