import { homedir } from 'node:os'
import { z } from 'zod'
import { version } from '../../package.json'
import type { HostedEvent } from '../../src-preload/contract/hosted'
import type { Engine } from '../engine'
import { createHostRows } from '../hosts/host-rows'
import { createHosts, type Hosts } from '../hosts/hosts'
import type { CageWish } from '../hosts/types'
import type { Sandbox } from '../sandbox/sandbox'
import { createAgentCage } from './agent-cage'
import type { Storage } from './storage'

/** Joins what agents of other makers need: where they are looked for, what is kept of them, and how one signs in. */
export const composeHosts = (
  { database, settingsFile, log }: Storage,
  publish: (event: HostedEvent) => void,
  engine: () => Engine,
  sandbox: Sandbox,
): Hosts => {
  const cageWishes = cageWishesIn(settingsFile)
  const cageAgent = createAgentCage({
    sandbox,
    home: homedir(),
    wishFor: cageWishes.get,
    sharedHosts: () => settingsFile.current().sandboxHosts,
  })
  return createHosts({
    cage: cageAgent,
    cageWishes,
    rows: createHostRows(database),
    surroundings: () => ({
      path: process.env.PATH ?? '',
      home: homedir(),
      added: settingsFile.section('agent_servers'),
    }),
    env: process.env,
    version,
    signIns: signInsIn(settingsFile),
    openTools: async ({ id }) => {
      const { openSessionDoor } = await import('../tool-server/session-door')
      return openSessionDoor(engine(), id)
    },
    publish,
    log,
  })
}

const cageSection = z
  .record(z.string(), z.object({ on: z.boolean().optional(), hosts: z.array(z.string()).optional() }))
  .catch({})

/** Whether agents are run in the sandbox, where the user has said so. */
const cageWishesIn = (file: Storage['settingsFile']) => {
  const read = () => cageSection.parse(file.section('agentSandbox') ?? {})
  return {
    get: (agent: string): CageWish => (Object.hasOwn(read(), agent) ? (read()[agent] ?? {}) : {}),
    set: (agent: string, wish: CageWish): void => file.setSection('agentSandbox', { ...read(), [agent]: wish }),
  }
}

const signInSection = z.record(z.string(), z.string()).catch({})

/** How the user signs in to hosted agents: the name of the way, never what it takes. */
const signInsIn = (file: Storage['settingsFile']) => {
  const read = (): Record<string, string> => signInSection.parse(file.section('agentSignIns') ?? {})
  return {
    get: (agent: string): string | undefined => (Object.hasOwn(read(), agent) ? read()[agent] : undefined),
    set: (agent: string, methodId: string): void => file.setSection('agentSignIns', { ...read(), [agent]: methodId }),
  }
}
