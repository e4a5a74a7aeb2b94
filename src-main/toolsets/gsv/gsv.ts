import { randomUUID } from 'node:crypto'
import type { NodeInfo } from '../../../src-preload/contract/nodes'
import type { ProcessInfo } from '../../../src-preload/contract/processes'
import { agentFileTools } from '../../tools/agents/agent-files'
import { createConfigTool } from '../../tools/agents/config'
import { createCronTool } from '../../tools/agents/cron'
import { createMessageTool } from '../../tools/agents/message'
import { sessionTools } from '../../tools/agents/sessions'
import { jsonContent } from '../../tools/json-result'
import { createNodeTools } from '../../tools/nodes/node-tools'
import { nodeInfoTools } from '../../tools/nodes/nodes'
import { foreignTool, remoteTool } from '../../tools/nodes/remote-tool'
import { shellNodeTools } from '../../tools/nodes/shell-node-tools'
import { localToolNode } from '../../tools/nodes/tool-node'
import { createTransferTool } from '../../tools/nodes/transfer'
import { wrapped } from '../../tools/object-tool'
import { propertiesOf, type Tool, ToolFailure, type Toolset } from '../../tools/tool'
import type { ToolsetDeps } from '../deps'

const processActions = ['list', 'poll', 'log', 'write', 'submit', 'kill']

/** Tools of our own nodes that are not among the seven of that vocabulary. */
const beyondSeven: ReadonlySet<string> = new Set(['ApplyPatch', 'List', 'Delete'])

const tailChars = 4000

const prefix = 'gsv__'
/** Its own tools stop at 200,000 characters, which JSON and other alphabets make larger in bytes. */
const maxResultBytes = 1024 * 1024

/**
 * The GSV vocabulary: `{nodeId}__{tool}` for each connected node, and `gsv__*` for what the app itself does. Nodes come
 * and go, so the tools are computed on each access.
 */
export function createGsvToolset(deps: ToolsetDeps): Toolset {
  const native = nativeTools(deps)
  /** Created once for each node, and again when its tools change. */
  const made = new Map<string, { stamp: string; tools: Map<string, Tool> }>()

  const toolsOf = (node: NodeInfo): Map<string, Tool> => {
    const stamp = `${node.local} ${node.tools.join(' ')}`
    const known = made.get(node.id)
    if (known?.stamp === stamp) return known.tools
    const tools = node.local ? localTools(deps, node) : node.backend ? shellTools(deps, node) : remoteTools(deps, node)
    made.set(node.id, { stamp, tools })
    return tools
  }

  return {
    name: 'gsv',
    get tools() {
      const connected = deps.registry?.list().filter(({ state }) => state === 'connected') ?? []
      return new Map([
        // What is always there comes first.
        ...native,
        ...connected.flatMap((node) =>
          [...toolsOf(node)].map(([name, tool]) => [`${node.id}__${name}`, tool] as const),
        ),
      ])
    },
    whyMissing: async (name) => {
      const node = deps.registry?.get(name.split('__')[0] ?? '')
      return node && node.state !== 'connected' ? `Node ${node.id} is not connected.` : null
    },
    maxResultBytes,
    exitMessage: exitMessageFor((node) => (deps.registry?.isLocal(node) ? deps.registry.localId() : node)),
    renderFailure: ({ name, message, content }) =>
      content ?? jsonContent(name.startsWith(prefix) ? { ok: false, error: message } : { error: message }),
  }
}

function nativeTools(deps: ToolsetDeps): Map<string, Tool> {
  const { agentOf } = deps
  const own = agentFileTools({ files: deps.files, agentOf })
  const sessions = sessionTools(deps.post)
  const tools: [string, Tool][] = [
    ['ListFiles', wrapped(own.list)],
    ['ReadFile', wrapped(own.read)],
    ['WriteFile', wrapped(own.write)],
    ['EditFile', wrapped(own.edit)],
    ['DeleteFile', wrapped(own.remove)],
    ['ConfigGet', wrapped(createConfigTool(deps.config))],
    ['LogsGet', wrapped(nodeInfoTools(deps).logs)],
    ['Cron', wrapped(createCronTool({ schedule: deps.schedule, agentOf }))],
    ['Message', wrapped(createMessageTool(deps.channels))],
    ['SessionsList', wrapped(sessions.list)],
    ['SessionSend', wrapped(sessions.send)],
    ['Transfer', wrapped(createTransferTool({ transfers: deps.transfers, registry: deps.registry, agentOf }))],
  ]
  return new Map(tools.map(([name, tool]) => [prefix + name, tool]))
}

const localTools = ({ table, node, clock }: ToolsetDeps, { tools }: NodeInfo): Map<string, Tool> => {
  const offered = asGsv(createNodeTools(localToolNode(node), { table, clock }))
  return new Map([...offered].filter(([name]) => tools.length === 0 || tools.includes(name)))
}

function shellTools({ shellNodes, table, clock }: ToolsetDeps, { id, tools }: NodeInfo): Map<string, Tool> {
  const offered = asGsv(shellNodeTools(id, (name) => shellNodes?.get(name), { table, clock }))
  return new Map([...offered].filter(([name]) => tools.includes(name)))
}

/** The standard tools are parsed and judged by our own definitions; other tools of a node by the node's. */
function remoteTools({ table, gateway, registry, clock }: ToolsetDeps, { id }: NodeInfo): Map<string, Tool> {
  if (!gateway) return new Map()
  const standard = asGsv(createNodeTools(localToolNode(id), { table, clock }))
  const workspace = (): string => registry?.get(id)?.workspace ?? '/'
  const offered = gateway.tools(id).filter(({ name }) => !beyondSeven.has(name))
  return new Map(
    offered.map(({ name, description, inputSchema }) => {
      const at = { gateway, nodeId: id, name, workspace }
      const base = standard.get(name)
      return [name, base ? remoteTool(base, at) : foreignTool(at, description, inputSchema)]
    }),
  )
}

/**
 * The end of a background command as models expect it in this vocabulary: a line that names the event, and its JSON.
 */
const exitMessageFor = (nodeIdOf: (node: string) => string): NonNullable<Toolset['exitMessage']> => ({
  tailChars,
  of: (process, outputTail) => {
    const { id, node, callId, exitCode, signal, startedAt, endedAt } = process
    const event = {
      eventId: randomUUID(),
      nodeId: nodeIdOf(node),
      sessionId: id,
      callId: callId ?? undefined,
      event: eventOf(process),
      exitCode,
      signal,
      outputTail,
      startedAt,
      endedAt,
    }
    return `System event: async_exec_completion\n${JSON.stringify(event)}`
  },
})

const eventOf = ({ timedOut, exitCode }: ProcessInfo): 'finished' | 'failed' | 'timed_out' => {
  if (timedOut) return 'timed_out'
  return exitCode === 0 ? 'finished' : 'failed'
}

/** The standard tools of a machine in the `gsv` vocabulary: seven, without arguments that it does not know. */
function asGsv(tools: ReadonlyMap<string, Tool>): Map<string, Tool> {
  return new Map(
    [...tools].flatMap(([name, tool]) => {
      if (beyondSeven.has(name)) return []
      if (name === 'Bash') return [[name, without(tool, ['env'])] as const]
      return [[name, name === 'Process' ? ofActions(without(tool, ['keys', 'signal'])) : tool] as const]
    }),
  )
}

/** Hides arguments that only the default vocabulary knows; they are accepted all the same. */
function without(tool: Tool, names: readonly string[]): Tool {
  const properties = Object.entries(propertiesOf(tool)).filter(([name]) => !names.includes(name))
  return { ...tool, schema: { ...tool.schema, properties: Object.fromEntries(properties) }, unlisted: names }
}

function ofActions(tool: Tool): Tool {
  const properties = { ...propertiesOf(tool), action: { type: 'string', enum: processActions } }
  return {
    ...tool,
    description:
      'Manage background commands of Bash: list them, poll one (status and tail), log (lines), write or submit input, kill.',
    schema: { ...tool.schema, properties },
    parse(raw) {
      const action = typeof raw === 'object' && raw !== null && 'action' in raw ? raw.action : undefined
      if (typeof action === 'string' && !processActions.includes(action)) {
        throw new ToolFailure('InvalidArgs', `\`action\`: must be one of ${processActions.join(', ')}`)
      }
      return tool.parse(raw)
    },
  }
}
