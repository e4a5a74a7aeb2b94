/** A running sign-in was ended by the user, by a newer attempt, or by the end of the app. */
export class GivenUp extends Error {}

const usualPatienceMs = 10 * 60_000

/**
 * Waits ten minutes for the user to sign in. True if they have; false if `trying` was aborted with `GivenUp`. `attempt`
 * gets the signal that ends it.
 */
export async function untilSignedIn(
  trying: AbortSignal,
  attempt: (signal: AbortSignal) => Promise<void>,
  patienceMs = usualPatienceMs,
): Promise<boolean> {
  const limit = AbortSignal.timeout(patienceMs)
  try {
    await attempt(AbortSignal.any([trying, limit]))
    return true
  } catch (error) {
    if (error instanceof GivenUp) return false
    if (limit.aborted) throw new Error('Nobody signed in within ten minutes. Try again when you are ready.')
    throw error
  }
}
