import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { z } from 'zod'
import { usualTerminalSize } from '../../src-preload/contract/terminal'
import { capabilitiesOfTool } from '../gateway/runtime'
import { firstStreamId, proofText, protocolVersion } from '../gateway/wire'
import { openInProcessHost } from '../nodes/host-link'
import { createLocalNode } from '../nodes/local'
import type { HostInfo } from '../nodes/node'
import { createProcessTable } from '../nodes/process-table'
import { createNodeTools } from '../tools/nodes/node-tools'
import { localToolNode } from '../tools/nodes/tool-node'
import type { Tool } from '../tools/tool'
import { eventId, sendLog, sendProbe } from './answers'
import { createExecReports } from './exec-reports'
import { createFileMoves } from './file-moves'
import { createInvocations } from './invocations'
import { type Link, openLink } from './link'
import { openNodeLog } from './node-log'
import { openOutbox } from './outbox'
import { createPermits } from './permits'
import { processEvents } from './process-events'
import { createStreams } from './streams'
import { transferEvents } from './transfer-events'

interface AgentOptions {
  gateway: string
  token: string
  pin?: string
  id: string
  workspace: string
  role: 'execution' | 'specialized'
  /** Where the node keeps its key, log and outbox. */
  folder: string
  version: string
  /** Also writes the log to stderr. */
  echo?: boolean
  retryMs?: number
  onRefused?(reason: string): void
}

interface Agent {
  readonly connected: boolean
  close(): Promise<void>
}

const cancelEvent = z.object({ callId: eventId })

/** Runs the standard tools on this machine for a gateway on another one, and only when the gateway asks. */
export function startAgent(options: AgentOptions): Agent {
  const { folder, workspace, role } = options
  const log = openNodeLog(folder, [options.token], { echo: options.echo ?? false })
  const key = openDeviceKey(folder)
  const host = openInProcessHost((processId, chunk, end) => streams.output(processId, chunk, end))
  const node = createLocalNode({ openHost: () => host })
  const logDir = join(folder, 'processes')
  mkdirSync(logDir, { recursive: true, mode: 0o700 })
  const table = createProcessTable({
    nodes: [node],
    logDir,
    save: () => {},
    load: () => [],
    publish: (event) => {
      if (event.type !== 'process') return
      streams.row(event.process, usualTerminalSize)
      reports.changed(event.process)
    },
  })
  const tools = createNodeTools(localToolNode(options.id), { table })
  let link: Link | null = null
  const theLink = (): Link => {
    if (!link) throw new Error('The link is not there yet')
    return link
  }
  const streams = createStreams({ link: theLink, logPath: table.logPath, log })
  const moves = createFileMoves({ link: theLink, workspace, log })
  const permits = createPermits()
  const calls = createInvocations({ tools, workspace, permits, link: theLink, log })
  const outbox = openOutbox(join(folder, 'outbox.jsonl'), (event) => theLink().request('node.exec.event', event))
  const reports = createExecReports({ tail: table.tail, settled: calls.settled, outbox })
  table.onTyped((row, text) => theLink().tell('process.event', { id: row.id, event: { type: 'typed', text } }))

  const handlers = new Map<string, (payload: unknown) => void>([
    ['tool.invoke', calls.invoke],
    ['tool.preview', calls.preview],
    ['tool.cancel', (payload) => calls.cancel(cancelEvent.parse(payload).callId)],
    ['logs.get', (payload) => sendLog(payload, log, theLink())],
    ['node.probe', (payload) => sendProbe(payload, theLink())],
    ...processEvents({ table, node, streams, permits, workspace, link: theLink }),
    ...transferEvents(moves),
  ])

  link = openLink({
    url: options.gateway,
    token: options.token,
    pin: options.pin,
    log,
    retryMs: options.retryMs,
    greeting: (nonce) => ({
      minProtocol: protocolVersion,
      maxProtocol: protocolVersion,
      client: { id: options.id, version: options.version, platform: process.platform, mode: 'node' },
      tools: [...tools].map(([name, tool]) => ({ name, description: tool.description, inputSchema: tool.schema })),
      nodeRuntime: describeRuntime({ role, info: node.info(), tools, workspace }),
      auth: { token: options.token, key: key.key, proof: key.prove(nonce, options.id) },
    }),
    onEvent(event, payload) {
      try {
        handlers.get(event)?.(payload)
      } catch (error) {
        log.warn('An event could not be read', { event, reason: String(error) })
      }
    },
    onBinary: (number, chunk, release) => {
      if (number < firstStreamId) moves.chunk(number, chunk, release)
    },
    onUp(hello) {
      permits.greeted(hello)
      log.info('Connected', { gateway: options.gateway, node: options.id })
      void streams.up().then(() => theLink().tell('process.synced', { ids: streams.ids() }))
      void outbox.flush()
    },
    onDown() {
      streams.down()
      moves.down()
      // No call waits for these processes any more, but they keep running and can be queried later.
      for (const row of table.list()) if (row.status === 'running' && !row.byUser) table.setBackground(row.id)
    },
    onRefused(reason) {
      log.error('The gateway does not let this node in', { reason })
      options.onRefused?.(reason)
    },
  })

  return {
    get connected() {
      return theLink().connected
    },
    async close() {
      outbox.close()
      theLink().close()
      await table.close()
    },
  }
}

/** Describes this machine to the gateway. */
function describeRuntime(options: {
  role: 'execution' | 'specialized'
  info: HostInfo
  tools: ReadonlyMap<string, Tool>
  workspace: string
}): object {
  const { role, info, tools, workspace } = options
  const toolCapabilities = Object.fromEntries([...tools.keys()].map((name) => [name, capabilitiesOfTool(name)]))
  return {
    hostRole: role,
    hostCapabilities: [...new Set(Object.values(toolCapabilities).flat())],
    toolCapabilities,
    hostOs: info.os,
    hostEnv: info.envKeys,
    hostname: info.hostname,
    workspace,
    home: homedir(),
    previews: true,
  }
}

/** Identifies this installation of a node. A token can be copied from a command line; the private key stays here. */
interface DeviceKey {
  /** The public key, which the gateway stores. */
  readonly key: string
  prove(nonce: string, clientId: string): string
}

function openDeviceKey(folder: string): DeviceKey {
  const path = join(folder, 'device.pem')
  const secret = existsSync(path) ? createPrivateKey(readFileSync(path)) : makeKey(folder, path)
  const key = createPublicKey(secret).export({ format: 'der', type: 'spki' }).toString('base64url')
  return {
    key,
    prove: (nonce, clientId) => sign(null, Buffer.from(proofText(nonce, clientId)), secret).toString('base64url'),
  }
}

function makeKey(folder: string, path: string): KeyObject {
  const { privateKey } = generateKeyPairSync('ed25519')
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  writeFileSync(path, privateKey.export({ format: 'pem', type: 'pkcs8' }), { mode: 0o600 })
  return privateKey
}
