import { guideId } from '../settings/model-choice'
import { temporaryId } from '../settings/secrets'

/**
 * The model with which a session answers a message of another one, whose model is `asking`. It keeps its own, unless that is
 * the guide, which only stands in, or one that a command line named for a run that is over. Undefined for the usual one.
 */
export function answeringModel(own: string | undefined, asking: string): string | undefined {
  const isPassing = own === undefined || own === guideId || own.startsWith(`${temporaryId}/`)
  return isPassing && asking !== guideId ? asking : own
}
