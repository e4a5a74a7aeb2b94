import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { DeckhandEvent } from '../../src-preload/contract/events'
import { hostedModel } from '../../src-preload/contract/hosted'
import type { ApprovalMode } from '../../src-preload/contract/sessions'
import { createEngine } from '../compose'
import type { Engine } from '../engine'
import { openInProcessHost } from '../nodes/host-link'
import { memorySecrets } from '../settings/secrets'

const script = join(import.meta.dirname, '../hosts/testing/scripted-agent.mjs')

/** The command line that starts the scripted agent. */
export const scriptedAgent = (env: Record<string, string> = {}) => ({
  command: process.execPath,
  args: [script],
  env: { ELECTRON_RUN_AS_NODE: '1', ...env },
})

/** The whole engine on a folder of its own, with the scripted agent among its agents. */
export async function openHostedBench(agents: Record<string, Record<string, string>> = { scripted: {} }) {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'deckhand-hosted-')))
  const dataDir = join(folder, 'data')
  const workspace = join(folder, 'work')
  mkdirSync(dataDir)
  mkdirSync(workspace)
  const added = Object.fromEntries(Object.entries(agents).map(([id, env]) => [id, scriptedAgent(env)]))
  writeFileSync(join(dataDir, 'settings.json'), JSON.stringify({ agent_servers: added }))
  const engines: Engine[] = []
  const start = async (interactive = true) => {
    const engine = await createEngine({ dataDir, openHost: openInProcessHost, secrets: memorySecrets(), interactive })
    engines.push(engine)
    const events: DeckhandEvent[] = []
    const waiting = new Set<() => void>()
    engine.subscribe((event) => {
      events.push(structuredClone(event))
      for (const look of [...waiting]) look()
    })
    /** The first event, past or to come, that fits. */
    const event = <Type extends DeckhandEvent['type']>(
      type: Type,
      fits: (event: Extract<DeckhandEvent, { type: Type }>) => boolean = () => true,
      from = 0,
    ): Promise<Extract<DeckhandEvent, { type: Type }>> =>
      new Promise((found) => {
        const look = (): void => {
          const hit = events
            .slice(from)
            .find((each): each is Extract<DeckhandEvent, { type: Type }> => each.type === type && fits(each as never))
          if (!hit) return
          waiting.delete(look)
          found(hit)
        }
        waiting.add(look)
        look()
      })
    /** Says something, a script or words, and waits for the end of the turn. */
    const turn = (sessionId: string, script: unknown) =>
      engine.runner.sendAndWait(sessionId, typeof script === 'string' ? script : JSON.stringify(script))
    const question = async (from = 0) => {
      const { call } = await event('call', ({ call }) => call.state.status === 'awaiting', from)
      if (call.state.status !== 'awaiting') throw new Error('not a question')
      return call.state.question
    }
    return {
      engine,
      events,
      event,
      session: (mode: ApprovalMode = 'safe', agent = 'scripted', sandbox = false): string =>
        engine.createSession({ workspace, mode, model: hostedModel(agent), sandbox }).id,
      turn,
      question,
      /** Begins a turn in which the agent asks something, and waits for the question; `ended` is the end of the turn. */
      asking: async (sessionId: string, script: unknown) => {
        const from = events.length
        const ended = turn(sessionId, script)
        return { question: await question(from), ended }
      },
      /** The transcript in short. */
      sketch: (sessionId: string): string[] => {
        const { messages, calls } = engine.store.messages.page(sessionId, undefined, 500)
        return messages.flatMap(({ role, parts }) =>
          parts.map((part) => {
            if (part.type === 'text') return `${role}: ${part.text}`
            if (part.type === 'reasoning') return `thought: ${part.text}`
            if (part.type === 'error') return `error: ${part.error.message}`
            const call = part.type === 'call' ? calls.find(({ id }) => id === part.callId) : undefined
            return call ? `${call.name} ${call.gist}: ${call.state.status}` : `<${part.type}>`
          }),
        )
      },
      calls: (sessionId: string) => engine.store.messages.page(sessionId, undefined, 500).calls,
    }
  }
  return {
    folder,
    workspace,
    dataDir,
    start,
    close: async () => {
      for (const engine of engines) await engine.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
