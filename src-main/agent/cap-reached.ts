/** Ends a turn whose next request could cost more than the user allows. The message says so in words for the user. */
export class CapReached extends Error {
  override name = 'CapReached'
}
