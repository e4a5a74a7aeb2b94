import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type HostLink, openInProcessHost } from '../nodes/host-link'
import { createLocalNode } from '../nodes/local'
import type { ProcessTable } from '../nodes/process-table'
import { openTestTable } from '../nodes/test-table'
import type { HostMessage, HostRequest } from '../pty-host/messages'
import { createBashTool } from './shell/bash'
import { runProgram } from './shell/run-program'
import type { ToolContext } from './tool'

let dir: string
let table: ProcessTable

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'deckhand-limit-'))
})
afterEach(async () => {
  await table.close()
  rmSync(dir, { recursive: true, force: true })
})

/** The real host, except for messages that are dropped. */
function openTable(lost: { request?(request: HostRequest): boolean; message?(message: HostMessage): boolean }): void {
  const openHost = (): HostLink => {
    const link = openInProcessHost()
    return {
      ...link,
      post: (request, port) => lost.request?.(request) || link.post(request, port),
      onMessage: (listener) => link.onMessage((message) => lost.message?.(message) || listener(message)),
    }
  }
  table = openTestTable(join(dir, 'logs'), { nodes: [createLocalNode({ openHost, replyMs: 5000 })] })
}

const contextOf = (signal = new AbortController().signal): ToolContext =>
  ({ sessionId: 's', callId: 'c', workspace: dir, signal, show() {} }) as unknown as ToolContext

function bash(command: string, timeout: number, signal?: AbortSignal) {
  const tool = createBashTool(table, 'local')
  return tool.run(tool.parse({ command, timeout }), contextOf(signal))
}

/** Everything else may be slow, but the wait itself is at most three times the limit. */
async function secondsOf(work: Promise<unknown>): Promise<{ seconds: number; error: unknown }> {
  const began = performance.now()
  const error = await work.then(
    () => null,
    (reason: unknown) => reason,
  )
  return { seconds: (performance.now() - began) / 1000, error }
}

const isExit = (message: HostMessage) => message.type === 'event' && message.event.type === 'exit'

describe('the limit of a call', () => {
  it('of 1 s ends it within 3 s when the end is never reported', async () => {
    openTable({ message: isExit })
    const { seconds, error } = await secondsOf(bash('true', 1000))
    expect(error).toMatchObject({ kind: 'Timeout', message: expect.stringContaining('its end was not reported') })
    expect(seconds).toBeLessThan(3)
  })

  it('holds for a program between pipes, too', async () => {
    openTable({ message: isExit })
    const request = { command: 'true', argv: ['true'] as const, cwd: dir, timeoutMs: 1000 }
    const { seconds, error } = await secondsOf(runProgram(table, request, contextOf()))
    expect(error).toMatchObject({ kind: 'Timeout', message: expect.stringContaining('its end was not reported') })
    expect(seconds).toBeLessThan(3)
  })

  it('holds when the terminal host does not answer', async () => {
    openTable({ request: ({ type }) => type === 'start' })
    const { seconds, error } = await secondsOf(bash('true', 1000))
    expect(error).toMatchObject({ kind: 'Timeout', message: expect.stringContaining('did not answer') })
    expect(seconds).toBeLessThan(3)
  })

  it.runIf(process.platform === 'linux')(
    'holds when the program that starts others is stopped, and what that starts later is killed',
    async () => {
      openTable({})
      const children = () => childrenOf(process.pid).filter((pid) => nameOf(pid) === 'deckhand-start')
      const earlier = new Set(children())
      let server: number | undefined
      // The fork server is used from the second command on.
      await expect
        .poll(
          async () => {
            await bash('true', 20_000)
            server = children().find((pid) => !earlier.has(pid))
            return server
          },
          { timeout: 20_000 },
        )
        .toBeDefined()
      await bash('true', 20_000)
      process.kill(server as number, 'SIGSTOP')
      const { seconds, error } = await secondsOf(bash(`touch ${dir}/late`, 1000))
      process.kill(server as number, 'SIGCONT')
      expect(error).toMatchObject({ kind: 'Timeout', message: expect.stringContaining('did not answer') })
      expect(seconds).toBeLessThan(3)
      // The one that was given up is killed as soon as it has started.
      await expect
        .poll(() => table.list('s').filter(({ status }) => status === 'running'), { timeout: 20_000 })
        .toEqual([])
    },
  )

  it('does not keep a call that was stopped waiting for its start', async () => {
    openTable({ request: ({ type }) => type === 'start' })
    const stop = new AbortController()
    const running = secondsOf(bash('true', 0, stop.signal))
    stop.abort(new Error('stopped'))
    expect((await running).error).toEqual(new Error('stopped'))
  })
})

const childrenOf = (parent: number): number[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => new RegExp(`^PPid:\\s*${parent}$`, 'm').test(statusOf(pid)))

const nameOf = (pid: number): string => /^Name:\s*(.*)$/m.exec(statusOf(pid))?.[1] ?? ''

function statusOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/status`, 'latin1')
  } catch {
    return ''
  }
}
