import type { Rule } from '../../src-preload/contract/approval'
import { decide } from './decide'
import { onlyReads, readsOnlyReason } from './finding'
import { lexicalPath } from './paths/paths'
import type { Access, Decision, FileView, OfferedRule, Policy } from './types'

/**
 * The gate for a call that goes to another machine. Nothing can be looked at there, so what would run by itself here asks
 * there: a path may be a link, a program may be another one. Refusals hold everywhere; permissions hold for the machine
 * that they were given for, and speak of exact command lines only.
 */
export function decideRemote(access: Access, policy: Policy, host: Pick<FileView, 'os' | 'home'>): Decision {
  const rules = policy.rules.filter((rule) => rule.verdict === 'deny' || isFor(access.node, rule))
  const there: Policy = { ...policy, rules, node: access.node, ownFolders: [] }
  const view = blindView(host)
  const decision = withoutOffers(decide(access, there, view))
  if (decision.verdict === 'deny' || policy.mode === 'all' || !touchesSomething(access)) return decision
  const reason = `It runs on ${access.node}, whose files cannot be looked at from here`
  if (onlyReads(policy.mode))
    return { ...decision, verdict: 'deny', reason: `${readsOnlyReason(policy.mode)} ${reason}` }
  // What the mode would let through here has to be asked for or kept as well.
  const strict = decide(access, { ...there, mode: 'ask' }, view)
  if (strict.verdict === 'allow') return withoutOffers(strict)
  const offers = strict.typedWord === undefined ? offersFor(access.node, strict.offers) : []
  return { ...strict, reason: decision.verdict === 'ask' ? decision.reason : reason, offers, targets: [], asking: [] }
}

/** A process is on one machine, whatever is said of it. */
const isFor = (node: string, { scope, match }: Rule): boolean =>
  scope === 'process' || (match.kind === 'argv' && match.node === node)

/** What is asked about other machines says nothing about this one, so later rules are not compared with it. */
const withoutOffers = (decision: Decision): Decision => ({ ...decision, offers: [], targets: [], asking: [] })

/** Offers for this session and this workspace only: what a command line means elsewhere on that machine is unknown here. */
function offersFor(node: string, offers: readonly OfferedRule[]): OfferedRule[] {
  return offers.flatMap((offer) => {
    if (offer.scope === 'process') return offer
    const matches = offer.matches.flatMap((match) => (match.kind === 'argv' ? { ...match, node } : []))
    if (matches.length < offer.matches.length || (offer.scope !== 'session' && offer.scope !== 'workspace')) return []
    return { ...offer, matches, sentence: `${offer.sentence}, on ${node} and whatever its files hold` }
  })
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
