import type { McpProject, McpProjectVerdict } from '../../src-preload/contract/mcp'
import { call } from '../state/bridge'
import { attempt } from '../state/toasts'

/** Makes main read the servers that the session's folder defines. */
export const lookAtProject = (sessionId: string): void => void attempt(call('mcp.lookAtProject', { sessionId }))

/** Sends main the user's decision about a project, as it was shown. */
export const decideProject = ({ folder, hash }: McpProject, verdict: McpProjectVerdict): void =>
  void attempt(call('mcp.decideProject', { folder, hash, verdict }))
