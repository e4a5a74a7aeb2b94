import type { ImportTool } from '../../src-preload/contract/moving-in'
import { isRecord } from '../is-record'
import { idFrom, readConfig, serverIdTrouble, transportOf } from '../mcp/server-config'
import { type Draft, not, ready } from './draft'
import { entriesOf, listOf, textOf } from './files'

/** The MCP servers of a program. Its own fields are read as ours where they mean the same. */
export function serverDrafts(tool: ImportTool, from: string, servers: unknown): Draft[] {
  return entriesOf(servers).map(([name, value]) => {
    const config = isRecord(value) ? readConfig(ourFields(value)) : null
    const id = idFrom(name)
    const command = config?.command ? [config.command, ...(config.args ?? [])].join(' ') : (config?.url ?? '')
    const wish = { tool, kind: 'mcp' as const, name, from, detail: command }
    if (!config || id === '' || transportOf(config) === 'none')
      return not(wish, 'It has neither a command nor an address that can be used here.')
    const trouble = serverIdTrouble(id, [])
    if (trouble) return not(wish, `${trouble}. Add it on the MCP servers page under another name.`)
    if (/\$\{(?:input|workspaceFolder|env):?/.test(JSON.stringify(config)))
      return not(wish, 'It asks for values when it starts. Add it on the MCP servers page, with the values.')
    if (Object.values({ ...config.env, ...config.headers }).some((each) => /^(?:Bearer )?\$\{?\w+\}?$/.test(each)))
      return not(
        wish,
        'It takes values from your shell’s environment. Add it on the MCP servers page, with the values.',
      )
    const held = Object.values({ ...config.env, ...config.headers }).some((each) => each !== '')
    const note = held ? 'Values that look secret go to the keychain.' : ''
    return ready({ ...wish, note }, `MCP server ${id}; each of its tools asks until you allow it`, {
      kind: 'mcp',
      id,
      config,
    })
  })
}

function ourFields(value: Record<string, unknown>): Record<string, unknown> {
  const list = listOf(value.command).map(String)
  return {
    ...value,
    // opencode writes the command as a list, and names the environment in full.
    ...(list.length > 0 && { command: list[0], args: list.slice(1) }),
    ...(isRecord(value.environment) && { env: value.environment }),
    ...(textOf(value.httpUrl) && { url: value.httpUrl }),
    ...(isRecord(value.http_headers) && { headers: value.http_headers }),
    ...(value.enabled === undefined && value.disabled === undefined && { enabled: true }),
  }
}
