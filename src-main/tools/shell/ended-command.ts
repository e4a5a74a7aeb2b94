import { jsonContent } from '../json-result'
import type { ToolResult } from '../tool'

interface EndedCommand {
  /** The id of its row, if it has one. */
  sessionId?: string
  exitCode: number | null
  signal: string | null
  timedOut: boolean
  startedAt: number
  endedAt: number
  output: string
  tail: string
  truncated: boolean
  workdir: string
  /** Where the whole output is, if it was truncated. */
  log?: string
}

/** What the model reads of a command that has ended, wherever it ran. */
export const endedCommand = (command: EndedCommand): ToolResult['content'] => {
  const { sessionId, exitCode, signal, timedOut, startedAt, endedAt, output, tail, truncated, workdir, log } = command
  const status = exitCode === 0 && !timedOut ? 'completed' : 'failed'
  const durationMs = endedAt - startedAt
  return jsonContent({
    ...{ status, sessionId, exitCode, signal, timedOut, startedAt, endedAt, durationMs },
    ...{ output, tail, truncated, workdir, log },
  })
}
