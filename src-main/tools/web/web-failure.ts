import { WebError } from '../../web/errors'
import { ToolFailure } from '../tool'

const kinds = {
  invalid: 'InvalidArgs',
  refused: 'PermissionDenied',
  failed: 'ExecutionFailed',
  timeout: 'Timeout',
} as const

/** Turns refusals of the web into messages for a model; anything else is a bug and is rethrown. */
export async function translateWebErrors<T>(work: () => Promise<T> | T): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof WebError)) throw error
    const hint = error.kind === 'refused' ? '. The user can allow local addresses in the settings' : ''
    throw new ToolFailure(kinds[error.kind], error.message + hint)
  }
}
