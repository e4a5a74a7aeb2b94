import { homedir } from 'node:os'
import { localFileView } from '../approval/paths/file-view'
import type { Access, Decision } from '../approval/types'
import type { PlainSettings } from '../git/plain-settings'
import { createGate, type Gate, type GateOptions } from '../session/gate'
import type { Places } from './places'

interface GateParts
  extends Pick<Places, 'nodes' | 'shellNodes'>,
    Pick<GateOptions, 'store' | 'settings' | 'ownFolders' | 'readableFolders' | 'interactive' | 'hasCage'> {
  gitSettings: PlainSettings
}

/** Joins the decisions about calls to what they depend on: the files here, and what is known of other machines. */
export function composeGate({ nodes, shellNodes, gitSettings, ...options }: GateParts): Gate {
  const files = localFileView(homedir(), process.env.PATH ?? '')
  return createGate({
    ...options,
    judge: async (access, policy) => {
      const { decide, decideRemote } = await judgement()
      // `gsv` is the gateway itself: its own files and jobs are on this machine.
      if (access.node === 'gsv' || nodes.registry.isLocal(access.node))
        return withPlainGit(decide(access, policy, files), access, gitSettings)
      return decideRemote(access, policy, {
        os: nodes.registry.get(access.node)?.os ?? 'linux',
        home: shellNodes.get(access.node)?.facts.home ?? nodes.gateway.home(access.node) ?? '/',
      })
    },
    backtest: async (offer, access, policy, past) => {
      const { backtestOffer } = await judgement()
      return backtestOffer(offer, access, policy, files, past)
    },
  })
}

let loading: ReturnType<typeof loadJudgement> | null = null

/** What decides, with all that is known of shells and programs: a quarter of the engine’s code, and only calls need it. */
export const judgement = (): ReturnType<typeof loadJudgement> => {
  loading ??= loadJudgement()
  return loading
}

async function loadJudgement() {
  const [{ decide }, { decideRemote }, { backtestOffer }] = await Promise.all([
    import('../approval/decide'),
    import('../approval/decide-remote'),
    import('../approval/rules/past'),
  ])
  return { decide, decideRemote, backtestOffer }
}

/** A git that nobody was asked about shows differences itself; in the sandbox it may start whatever it likes. */
function withPlainGit(decision: Decision, { command = '' }: Access, settings: PlainSettings): Decision {
  // The user's settings can be changed only where they are.
  const changesSettings = !decision.readsOnly && /--(?:glo|sys)/.test(command)
  if (!decision.env || decision.contained || changesSettings) return decision
  return { ...decision, env: { ...decision.env, ...settings.variables() } }
}
