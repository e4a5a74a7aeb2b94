import type { Rule } from '../../../src-preload/contract/approval'
import type { Places } from '../paths/paths'
import type { Access, FileView, Policy } from '../types'
import { isInForce } from './scope'

/** The folders that a call may work in: the workspace, and those that the user opened by a rule. */
export function placesOf(access: Access, policy: Policy, files: FileView): Places {
  const real = (folder: string): string => (files.root ?? files.realpath)(folder) ?? folder
  const workspace = real(access.workspace)
  const standing = { policy, workspace: access.workspace, realWorkspace: workspace, files }
  const granted = policy.rules.flatMap((rule) =>
    opensFolder(rule) && isInForce(rule, standing) ? { path: real(rule.match.path), rule } : [],
  )
  const writable = granted.filter(({ rule }) => rule.action === 'write').map(({ path }) => path)
  return {
    files,
    workspace,
    folders: [workspace, ...writable],
    readFolders: [workspace, ...granted.map(({ path }) => path)],
    granted,
    own: (policy.ownFolders ?? []).map(real),
    readable: (policy.readableFolders ?? []).map(real),
  }
}

const opensFolder = (rule: Rule): rule is Rule & { match: { kind: 'path'; path: string } } =>
  rule.verdict === 'allow' && rule.match.kind === 'path' && rule.match.recursive
