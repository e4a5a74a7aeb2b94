import type { ProcessInfo } from '../../../src-preload/contract/processes'
import type { ProcessTable, StartRequest } from '../../nodes/process-table'
import { ToolFailure } from '../tool'

/** In addition to the call's own limit: the first command of a run may have to wait for the terminal host. */
const startMs = 1000
const longestStartMs = 60_000
/** Another machine may have to be connected first, and the user may be asked for a password. */
const farStartMs = 5 * 60_000

/**
 * Starts a process, and waits for the start about as long as the call may take. A process that starts after that is
 * killed at once.
 */
export async function startWithin(
  table: ProcessTable,
  request: StartRequest,
  { limitMs, signal }: { limitMs: number | undefined; signal: AbortSignal },
): Promise<ProcessInfo> {
  signal.throwIfAborted()
  const { ms, who } = patience(request.node, limitMs)
  let forget = () => {}
  const givenUp = new Promise<never>((_, reject) => {
    const abort = () => reject(signal.reason)
    const late = setTimeout(() => reject(notStarted(ms, who)), ms)
    signal.addEventListener('abort', abort, { once: true })
    forget = () => {
      clearTimeout(late)
      signal.removeEventListener('abort', abort)
    }
  })
  const starting = table.start(request)
  try {
    return await Promise.race([starting, givenUp])
  } catch (error) {
    starting.then(
      ({ id }) => table.kill(id),
      () => {}, // The start failed, and the caller already has an error.
    )
    throw error
  } finally {
    forget()
  }
}

const patience = (node: string | undefined, limitMs = longestStartMs): { ms: number; who: string } =>
  node === undefined || node === 'local'
    ? { ms: Math.min(limitMs + startMs, longestStartMs), who: 'the terminal host' }
    : { ms: farStartMs, who: `node ${node}` }

const notStarted = (ms: number, who: string): ToolFailure =>
  new ToolFailure('Timeout', `The command was not started: ${who} did not answer within ${ms / 1000} s.`)
