import type { McpProject, McpProjectVerdict } from '../../src-preload/contract/mcp'
import { call } from '../state/bridge'
import { attempt } from '../state/toasts'

/** Has main look at what the folder of a session names. */
export const lookAtProject = (sessionId: string): void => void attempt(call('mcp.lookAtProject', { sessionId }))

/** Tells main what the user says about what is shown of a project. */
export const decideProject = ({ folder, hash }: McpProject, verdict: McpProjectVerdict): void =>
  void attempt(call('mcp.decideProject', { folder, hash, verdict }))
