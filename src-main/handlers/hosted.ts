import type { hostedCalls } from '../../src-preload/contract/hosted-calls'
import type { Engine } from '../engine'
import { shellLine } from '../hosts/command-line'
import { type HandlersFor, nothing } from './handlers'

/** Agents of other makers. The window may choose among those that were found or added, and cannot name a program. */
export function hostedHandlers({ hosts, runner, store, table }: Engine): HandlersFor<typeof hostedCalls> {
  return {
    'hosted.list': () => ({ type: 'hosted-agents', agents: hosts.agents() }),
    'hosted.status': ({ sessionId }) => {
      const info = hosts.info(sessionId)
      return info ? [{ type: 'hosted', info }] : []
    },
    'hosted.open': async ({ sessionId }) => nothing(await runner.openAgent(sessionId)),
    'hosted.choose': async ({ sessionId, optionId, value }) => nothing(await hosts.choose(sessionId, optionId, value)),
    'hosted.setCage': async ({ agent, on }) => nothing(await hosts.setCage(agent, on)),
    'hosted.allowHost': ({ agent, host }) => nothing(hosts.allowHost(agent, host)),
    'hosted.signIn': async ({ sessionId, methodId }) => {
      const program = await runner.signInAgent(sessionId, methodId)
      if (!program) return null
      const { id } = await table.start({
        sessionId,
        callId: null,
        command: shellLine(program.argv),
        title: 'Sign in',
        argv: program.argv,
        cwd: store.sessions.get(sessionId).workspace,
        env: program.env,
        background: false,
        byUser: true,
      })
      return id
    },
  }
}

/** The window chooses an agent by its name, or keeps the one that a session has. */
export function refuseStrangeAgent({ hosts }: Pick<Engine, 'hosts'>, agent: string | null): void {
  const trouble = agent === null ? null : hosts.trouble(agent, false)
  if (trouble) throw new Error(trouble)
}
