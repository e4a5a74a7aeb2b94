import { statSync } from 'node:fs'
import type { Engine } from './engine'
import type { OpenRequest } from './open-request'

/** Shows what was asked for. Nothing is sent, run or allowed by it. */
export function followRequest(engine: Engine, request: OpenRequest): void {
  const tell = (text: string) => engine.publish({ type: 'note', text })
  switch (request.kind) {
    case 'session':
      if (engine.store.sessions.find(request.id)) engine.publish({ type: 'open-session', sessionId: request.id })
      else tell('The link leads to a session that is not on this machine.')
      return
    case 'prompt':
      engine.publish({ type: 'compose', text: request.text })
      return
    case 'folder':
      if (!statSync(request.path, { throwIfNoEntry: false })?.isDirectory()) {
        tell(`There is no folder ${request.path}`)
        return
      }
      engine.publish({ type: 'open-session', sessionId: engine.createSession({ workspace: request.path }).id })
  }
}
