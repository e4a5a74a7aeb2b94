import { decide } from './decide'
import { lexicalPath } from './paths'
import type { Access, Decision, FileView, Policy } from './types'

/**
 * The gate for a call that goes to another machine. Nothing can be looked at there, so what would run by itself here asks
 * there: a path may be a link, a program may be another one. Refusals hold everywhere; permissions were given for this
 * machine and hold for no other, so none is offered to be kept.
 */
export function decideRemote(access: Access, policy: Policy, host: Pick<FileView, 'os' | 'home'>): Decision {
  const refusals = policy.rules.filter(({ verdict }) => verdict === 'deny')
  const decision = decide(access, { ...policy, rules: refusals, grantedFolders: [], ownFolders: [] }, blindView(host))
  const kept = { ...decision, offers: [], targets: [] }
  if (decision.verdict !== 'allow' || policy.mode === 'all' || !touchesSomething(access)) return kept
  const reason = `It runs on ${access.node}, whose files cannot be looked at from here`
  if (policy.mode === 'read-only') return { ...kept, verdict: 'deny', reason: `This session is read-only. ${reason}` }
  return { ...kept, verdict: 'ask', reason }
}

const touchesSomething = ({ command, argv, paths, hosts }: Access): boolean =>
  command !== undefined || argv !== undefined || Boolean(paths?.length) || Boolean(hosts?.length)

/** Paths as they are written; of everything else nothing is known. */
const blindView = ({ os, home }: Pick<FileView, 'os' | 'home'>): FileView => ({
  os,
  home,
  realpath: (path) => lexicalPath(path, '/'),
  lstat: () => null,
  readText: () => null,
  list: () => null,
  which: () => null,
})
