import { codeOf, troubleIn } from '../network/trouble'
import { SignInNeeded } from './sign-ins'
import { shownText } from './tool-definition'

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

/** On one line and without control characters: the words may be the server's, and are shown on a terminal. */
export function messageOf(failure: unknown): string {
  if (!(failure instanceof Error)) return shownText(String(failure), 500)
  const trouble = troubleIn(failure)
  if (trouble) return shownText(`${trouble.message} ${trouble.hint}`, 2000)
  const cause = rootOf(failure)
  return shownText(failure.message, 500) + (cause ? ` (${shownText(cause.message || codeOf(cause), 500)})` : '')
}

/** The innermost cause: those in between, as of `fetch`, only say that something failed. */
function rootOf(failure: Error): Error | null {
  let at = failure
  for (let depth = 0; depth < 5 && at.cause instanceof Error; depth++) at = at.cause
  return at === failure ? null : at
}
