import { pipeline } from 'node:stream/promises'
import { UsageError } from '../arguments'
import { knockAtWindow } from '../tool-server/door'
import { serveTools } from '../tool-server/serve-tools'
import { untilAborted } from '../tools/until-aborted'
import { leave } from './call'
import { dataDirOf } from './data-dir'
import { namedSession } from './earlier'
import { modeOf, openHeadlessEngine, requireSandbox, workspaceOf } from './headless-engine'
import { startServers } from './mcp-servers'
import type { Stopping } from './stopping'

/**
 * Serves our tools over MCP to the program that started this one. Where the window runs on the same data folder, its engine
 * makes the calls, so that they are seen there; otherwise they are made here, with the mode that `--approve` gives.
 */
export async function serveMcp(options: Map<string, string>, stopping: Stopping): Promise<number> {
  const workspace = workspaceOf(options)
  const sessionId = options.get('session')
  const toolset = options.get('toolset')
  const sandbox = options.has('sandbox')
  const window = await knockAtWindow(dataDirOf(options), {
    workspace,
    sessionId,
    toolset,
    ...(sandbox && { sandbox }),
  }).catch((error: Error) => {
    throw new UsageError(error.message)
  })
  if (window) {
    stopping.attend(() => window.destroy())
    const { signal } = stopping
    try {
      await Promise.race([
        pipeline(process.stdin, window, { signal }),
        pipeline(window, process.stdout, { signal, end: false }).then(() => {
          if (!process.stdin.readableEnded) process.stderr.write('deckhand: the window was closed\n')
        }),
      ])
    } finally {
      window.destroy()
    }
    return stopping.exitCode ?? 0
  }

  const engine = await openHeadlessEngine(options, stopping)
  try {
    if (sandbox) await requireSandbox(engine)
    if (sessionId !== undefined) namedSession(engine, sessionId)
    await untilAborted(startServers(engine, workspace, 0), stopping.signal)
    const made = await serveTools(engine, {
      input: process.stdin,
      output: process.stdout,
      workspace,
      mode: modeOf(options),
      sandbox,
      sessionId,
      toolset,
      signal: stopping.signal,
    })
    if (made !== null) await leave(engine, made)
    return stopping.exitCode ?? 0
  } finally {
    await engine.close()
  }
}
