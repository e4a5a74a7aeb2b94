import { randomUUID } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import type { ProcessInfo } from '../../src-preload/contract/processes'
import { usualTerminalSize } from '../../src-preload/contract/terminal'
import { firstStreamId, protocolVersion } from '../gateway/wire'
import { openInProcessHost } from '../nodes/host-link'
import { createLocalNode } from '../nodes/local'
import { ProcessRefusal } from '../nodes/process-refusal'
import { createProcessTable } from '../nodes/process-table'
import { createNodeTools } from '../tools/nodes/node-tools'
import { localToolNode } from '../tools/nodes/tool-node'
import { loginShellPath } from '../tools/shell/shell'
import { describeRuntime } from './describe-runtime'
import { openDeviceKey } from './device-key'
import { createFileMoves } from './file-moves'
import { createInvocations } from './invocations'
import { type Link, openLink } from './link'
import { openNodeLog } from './node-log'
import { type ExecReport, openOutbox } from './outbox'
import { createPermits } from './permits'
import { probeBins } from './probe'
import { createStreams } from './streams'
import { transferEvents } from './transfer-events'

interface AgentOptions {
  gateway: string
  token: string
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

export interface Agent {
  readonly connected: boolean
  close(): Promise<void>
}

const tailChars = 4000
const id = z.string().max(100)

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
      if (event.type === 'process') changed(event.process)
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
  const announced = new Set<string>()

  /** Waits until the call that started the process is answered: before that the gateway does not know the session. */
  const report = async (row: ProcessInfo, event: ExecReport['event']): Promise<void> => {
    const outputTail = await table.tail(row.id, tailChars)
    await calls.settled(row.callId)
    const { exitCode, signal, startedAt, endedAt } = row
    const known = { eventId: randomUUID(), sessionId: row.id, event, outputTail, startedAt }
    const ended = event === 'started' ? {} : { exitCode, signal, endedAt }
    outbox.push({ ...known, ...ended, ...(row.callId && { callId: row.callId }) })
  }

  const changed = (row: ProcessInfo): void => {
    streams.row(row, usualTerminalSize)
    if (!row.background || row.byUser) return
    if (!announced.has(row.id)) {
      announced.add(row.id)
      void report(row, 'started')
    }
    if (row.status === 'running') return
    announced.delete(row.id)
    void report(row, row.timedOut ? 'timed_out' : row.exitCode === 0 ? 'finished' : 'failed')
  }
  table.onTyped((row, text) => theLink().tell('process.event', { id: row.id, event: { type: 'typed', text } }))

  /** Runs `work` if the permit of the call is valid, and sends the result or the error. */
  const answer = (payload: unknown, work: () => Promise<object | undefined>): void => {
    const { callId, permit } = z.object({ callId: id, permit: z.unknown() }).parse(payload)
    const refusal = permits.use(callId, permit)
    const allowed = refusal === null ? work() : Promise.reject(new Error(refusal))
    allowed.then(
      (result) => theLink().tell('process.result', { callId, ...result }),
      (error: unknown) => {
        const secretInput = error instanceof ProcessRefusal && error.kind === 'secret-input'
        const message = error instanceof Error ? error.message : String(error)
        theLink().tell('process.result', { callId, error: message, secretInput })
      },
    )
  }

  const handlers = new Map<string, (payload: unknown) => void>([
    ['tool.invoke', calls.invoke],
    ['tool.preview', calls.preview],
    ['tool.cancel', (payload) => calls.cancel(z.object({ callId: id }).parse(payload).callId)],
    [
      'logs.get',
      (payload) => {
        const { callId, lines } = z.object({ callId: id, lines: z.number().min(1) }).parse(payload)
        log.tail(lines).then(
          (found) => theLink().tell('logs.result', { callId, ...found }),
          (error: unknown) => theLink().tell('logs.result', { callId, error: String(error) }),
        )
      },
    ],
    [
      'node.probe',
      (payload) => {
        const read = z.object({
          probeId: id,
          kind: z.string(),
          bins: z.array(z.string()).default([]),
          timeoutMs: z.number().default(15_000),
        })
        const { probeId, kind, bins, timeoutMs } = read.parse(payload)
        if (kind !== 'bins')
          return theLink().tell('node.probe.result', { probeId, ok: false, error: `Unsupported probe: ${kind}` })
        void probeBins(bins, timeoutMs).then((found) =>
          theLink().tell('node.probe.result', { probeId, ok: true, bins: found }),
        )
      },
    ],
    [
      'process.start',
      (payload) => {
        const { sessionId } = z.object({ sessionId: z.string() }).parse(payload)
        const shell = loginShellPath(process.env.SHELL)
        const request = {
          sessionId,
          callId: null,
          command: shell,
          title: 'Terminal',
          argv: [shell, '-l'] as [string, string],
          cwd: workspace,
        }
        answer(payload, async () => {
          const { id: started } = await table.start({ ...request, background: false, byUser: true })
          return { id: started }
        })
      },
    ],
    [
      'process.write',
      (payload) => {
        const { id: processId, data } = z.object({ id, data: z.string() }).parse(payload)
        answer(payload, async () => {
          await table.write(processId, data)
          return undefined
        })
      },
    ],
    [
      'process.input',
      (payload) => {
        const { id: processId, data } = z.object({ id, data: z.string() }).parse(payload)
        if (table.get(processId)) node.type(processId, data)
      },
    ],
    [
      'process.resize',
      (payload) => {
        const { id: processId, cols, rows } = z.object({ id, cols: z.number(), rows: z.number() }).parse(payload)
        if (table.get(processId)) table.resize(processId, cols, rows)
      },
    ],
    [
      'process.signal',
      (payload) => {
        const { id: processId, signal } = z.object({ id, signal: z.string().regex(/^SIG[A-Z0-9]+$/) }).parse(payload)
        if (table.get(processId)) table.signal(processId, signal as NodeJS.Signals)
      },
    ],
    [
      'process.ack',
      (payload) => {
        const { streamId, offset } = z.object({ streamId: z.number(), offset: z.number() }).parse(payload)
        streams.ack(streamId, offset)
      },
    ],
    ...transferEvents(moves),
  ])

  link = openLink({
    url: options.gateway,
    token: options.token,
    log,
    ...(options.retryMs !== undefined && { retryMs: options.retryMs }),
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
