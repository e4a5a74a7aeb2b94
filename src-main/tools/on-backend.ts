import { type Backend, BackendError, type SharedPane } from '../nodes/backend'
import { SecretInputError } from '../nodes/node'
import { localBackend } from '../nodes/open-backend'
import { ToolFailure } from './tool'

/** What a machine could not do, in words for a model; anything else is a bug and stays one. */
export async function onBackend<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof SecretInputError) throw new ToolFailure('PermissionDenied', error.message)
    if (!(error instanceof BackendError)) throw error
    throw new ToolFailure(error.kind === 'timeout' ? 'Timeout' : 'ExecutionFailed', error.message)
  }
}

export function paneOf({ pane }: Backend): SharedPane {
  if (!pane) throw new ToolFailure('ExecutionFailed', 'There is no tmux pane here')
  return pane
}

/** Whether the agent works in this pane: the one that Deckhand was started in is the user's, and so are all that are named. */
export const isOwnPane = (target: string | undefined, { kind }: Backend): boolean =>
  target === undefined && kind !== 'local'

/** Whether its files are those of this machine. */
export const isHere = ({ kind }: Backend): boolean => kind === 'local' || kind === 'local-tmux'

/** Where nobody has chosen another place. */
export const thisMachine: Backend = localBackend({ node: 'local', env: {} })
