import { structuredPatch } from 'diff'
import type { McpPolicy, McpServerConfig, McpToolInfo } from '../../src-preload/contract/mcp'
import type { Database } from '../database'
import { transportOf } from './server-config'
import { definitionHash, definitionText, fullName, type McpDefinition, shownName } from './tool-definition'

/** The user's standing permissions for single tools. */
export interface Permissions {
  has(key: string): boolean
  give(key: string, action: 'exec' | 'network', sentence: string): void
  /** Withdraws all permissions whose key starts with `prefix`. */
  withdraw(prefix: string): void
}

/** Which tools of servers the user knows, and what they decided about them. */
export function createKnownTools(database: Database, permissions: Permissions) {
  const rows = createToolRows(database)

  /** A tool that was never seen counts as known from now on. */
  const look = (server: string, config: McpServerConfig, definition: McpDefinition) => {
    const hash = definitionHash(config, definition)
    const text = definitionText(config, definition)
    const row = rows.find(server, definition.name)
    if (!row) rows.save(server, definition.name, { hash, definition: text, denied: false })
    return {
      hash,
      text,
      denied: row?.denied ?? false,
      change: row && row.hash !== hash ? { before: row.definition, after: text } : null,
      /** What a permission applies to: exactly this definition behind exactly this command or address. */
      key: `mcp:${server}:${shownName(definition.name)}#${hash.slice(0, 16)}`,
    }
  }

  return {
    look,
    /** `name`: the server's name in front of its tools. */
    info(server: string, name: string, config: McpServerConfig, definition: McpDefinition): McpToolInfo {
      const { change, denied, key } = look(server, config, definition)
      return {
        name: shownName(definition.name),
        fullName: fullName(name, definition.name),
        description: definition.description,
        schema: JSON.stringify(definition.schema, null, 2),
        policy: denied ? 'deny' : permissions.has(key) ? 'allow' : 'ask',
        ...(change && { change: patchOf(change) }),
      }
    },
    /** A decision about a tool also marks its present definition as known. */
    decide(server: string, config: McpServerConfig, definition: McpDefinition, policy: McpPolicy): void {
      const { hash, text, key } = look(server, config, definition)
      rows.save(server, definition.name, { hash, definition: text, denied: policy === 'deny' })
      permissions.withdraw(key.replace(/#.*$/, '#'))
      if (policy !== 'allow') return
      const sentence = `The tool ${shownName(definition.name)} of the MCP server ${server}, as it is now`
      permissions.give(key, transportOf(config) === 'http' ? 'network' : 'exec', sentence)
    },
    accept(server: string, config: McpServerConfig, definition: McpDefinition): void {
      const { hash, text, denied } = look(server, config, definition)
      rows.save(server, definition.name, { hash, definition: text, denied })
    },
    forget(server: string): void {
      rows.forget(server)
      permissions.withdraw(`mcp:${server}:`)
    },
  }
}

function patchOf({ before, after }: { before: string; after: string }): string {
  const { hunks } = structuredPatch('', '', before, after, undefined, undefined, { context: 3 })
  return hunks
    .flatMap(({ oldStart, oldLines, newStart, newLines, lines }) => [
      `@@ -${oldStart},${oldLines} +${newStart},${newLines} @@`,
      ...lines,
    ])
    .join('\n')
}

/** A tool as the user knows it. */
interface KnownTool {
  hash: string
  /** Its definition as text, to compare with when it changes. */
  definition: string
  denied: boolean
}

interface Row {
  hash: string
  definition: string
  denied: number
}

const createToolRows = (database: Database) => ({
  find: (server: string, tool: string): KnownTool | null => {
    const row = database
      .prepare<Row>('SELECT hash, definition, denied FROM mcp_tools WHERE server = ? AND tool = ?')
      .get(server, tool)
    return row ? { hash: row.hash, definition: row.definition, denied: row.denied === 1 } : null
  },
  save: (server: string, tool: string, { hash, definition, denied }: KnownTool): void => {
    database
      .prepare(
        `INSERT INTO mcp_tools (server, tool, hash, definition, denied) VALUES (?, ?, ?, ?, ?)
         ON CONFLICT (server, tool) DO UPDATE SET hash = excluded.hash, definition = excluded.definition, denied = excluded.denied`,
      )
      .run(server, tool, hash, definition, denied ? 1 : 0)
  },
  forget: (server: string): void => {
    database.prepare('DELETE FROM mcp_tools WHERE server = ?').run(server)
  },
})
