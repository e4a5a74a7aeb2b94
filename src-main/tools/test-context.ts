import type { ToolContext } from './tool'

/** What a call of a test knows of its session. */
export const testContext = (workspace: string, sessionId = 's'): ToolContext => ({
  sessionId,
  callId: 'c',
  workspace,
  signal: new AbortController().signal,
  resultBytes: 100_000,
  show: () => {},
})
