import { homedir } from 'node:os'
import { decide } from '../approval/decide'
import { decideRemote } from '../approval/decide-remote'
import { localFileView } from '../approval/file-view'
import { backtestOffer } from '../approval/rule-past'
import type { Access, Decision, Policy } from '../approval/types'
import type { RunnerOptions } from '../session/types'
import type { Places } from './places'

export interface Gate {
  decide(access: Access, policy: Policy): Decision
  backtest: NonNullable<RunnerOptions['backtest']>
}

interface GateOptions extends Pick<Places, 'machines' | 'backends'> {
  /** Whether somebody can answer questions. */
  interactive: boolean
  /** A call as it should be seen: with what is known about where the session's words come from. */
  govern(access: Access, policy: Policy): { access: Access; policy: Policy }
}

/** Joins the decisions about calls to what they depend on: the files here, and what is known of other machines. */
export function composeGate({ machines, backends, interactive, govern }: GateOptions): Gate {
  const files = localFileView(homedir(), process.env.PATH ?? '')

  const decideWhereItRuns = (access: Access, policy: Policy): Decision => {
    // `gsv` is the gateway itself: its own files and jobs are on this machine.
    if (access.node === 'gsv' || machines.registry.isLocal(access.node)) return decide(access, policy, files)
    return decideRemote(access, policy, {
      os: machines.registry.get(access.node)?.os ?? 'linux',
      home: backends.get(access.node)?.facts.home ?? machines.gateway.hub.link(access.node)?.runtime.home ?? '/',
    })
  }

  return {
    decide: (wanted, given) => {
      const { access, policy } = govern(wanted, given)
      const decision = decideWhereItRuns(access, policy)
      if (interactive || decision.verdict !== 'ask') return decision
      // Where nobody can answer, what would ask is refused, with the reason that it asks for.
      const reason = `it needs consent, and nobody is there to ask. ${decision.reason}`
      return { ...decision, verdict: 'deny', reason }
    },
    backtest: (offer, access, policy, past) => backtestOffer(offer, access, policy, files, past),
  }
}
