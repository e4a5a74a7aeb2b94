import { troubleIn } from '../network/trouble'
import { SignInNeeded } from './sign-ins'

/** The client wraps errors that occur before the first answer. */
export const signInNeeded = (failure: unknown): boolean =>
  failure instanceof SignInNeeded || (failure instanceof Error && failure.cause instanceof SignInNeeded)

/** The client's error for a request whose connection was closed. */
export const isCutOff = (failure: unknown): boolean =>
  failure instanceof Error && 'code' in failure && failure.code === 'CONNECTION_CLOSED'

/** The error of `fetch` if nothing answers, or of a server that no longer knows our session. */
export const isLoss = (failure: unknown): boolean =>
  failure instanceof TypeError ||
  troubleIn(failure) !== null ||
  (failure instanceof Error && 'status' in failure && failure.status === 404)

export function messageOf(failure: unknown): string {
  if (!(failure instanceof Error)) return String(failure)
  const trouble = troubleIn(failure)
  if (trouble) return `${trouble.message} ${trouble.hint}`
  const cause = failure.cause instanceof Error ? ` (${failure.cause.message})` : ''
  return failure.message.slice(0, 500) + cause
}
