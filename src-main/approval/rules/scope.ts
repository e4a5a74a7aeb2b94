import type { Rule } from '../../../src-preload/contract/approval'
import type { FileView, Policy } from '../types'

/** Where a call stands, as far as the scope of a rule goes. */
interface Standing {
  policy: Policy
  /** As the call names it, and canonical. */
  workspace: string
  realWorkspace: string
  files: FileView
}

/** Whether a rule counts here and now, whatever it speaks of. */
export function isInForce({ scope, subject, expiresAt }: Rule, standing: Standing): boolean {
  const { policy, workspace, realWorkspace, files } = standing
  if (expiresAt !== null && expiresAt <= policy.now) return false
  switch (scope) {
    case 'everywhere':
      return true
    case 'session':
      return subject === policy.sessionId
    case 'process':
      return policy.processId !== undefined && subject === policy.processId
    case 'workspace':
      return subject === workspace || files.realpath(subject) === realWorkspace
  }
}
