import { afterAll, beforeAll } from 'vitest'
import { type ModelRequest, type ScriptedModel, scriptedModel, type Turn } from '../e2e/scripted-model'
import type { StopReason } from '../src-preload/contract/events'
import type { Session } from '../src-preload/contract/sessions'
import type { ToolState } from '../src-preload/contract/tool-calls'
import type { World } from './world'

export interface Played {
  session: Session
  reason: StopReason
  /** The request after which the model said its last words. */
  last: ModelRequest
  /** What the model was told of each call, in order. */
  results: string[]
  /** What each call went through. */
  states: ToolState[]
}

export interface Talk {
  model(): ScriptedModel
  /** One turn of a new session, from the first request to the last. */
  play(wish: Partial<Pick<Session, 'toolset' | 'mode'>>, ...turns: Turn[]): Promise<Played>
}

/** A model that says what a test tells it to, behind the engine of a world. */
export function openTalk(world: World): Talk {
  let model: ScriptedModel
  let modelId = ''
  beforeAll(async () => {
    model = await scriptedModel([], { models: ['scripted'] })
    const { providers } = world.engine
    await providers.save({ name: 'Scripted', kind: 'openai', baseUrl: model.baseUrl })
    modelId = providers.list().flatMap(({ models }) => models)[0]?.id ?? ''
  })
  afterAll(() => model.close())
  return {
    model: () => model,
    async play(wish, ...turns) {
      const { engine, workspace } = world
      model.push(...turns)
      const session = engine.createSession({ mode: 'all', workspace, model: modelId, title: 'Talk', ...wish })
      const states: ToolState[] = []
      const stop = engine.subscribe((event) => {
        if (event.type === 'call' && event.call.sessionId === session.id) states.push(event.call.state)
      })
      const { reason } = await engine.runner.sendAndWait(session.id, 'Go on')
      stop()
      const last = model.requests.at(-1)
      if (!last) throw new Error('The model was not asked')
      const results = (last.body.messages as { role: string; content: string }[])
        .filter(({ role }) => role === 'tool')
        .map(({ content }) => content)
      return { session, reason, last, results, states }
    },
  }
}
