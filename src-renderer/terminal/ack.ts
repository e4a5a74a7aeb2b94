/** How much output must have been parsed before it is acknowledged to the terminal host. */
const ACK_STEP = 32 * 1024

/**
 * Counts what the terminal has parsed and acknowledges it in steps, so that many small pieces do not cause as many
 * acknowledgements. The remainder is counted towards the next step.
 */
export function createAckCounter(send: (chars: number) => void, step = ACK_STEP) {
  let parsed = 0
  return {
    add(chars: number) {
      parsed += chars
      if (parsed < step) return
      send(parsed)
      parsed = 0
    },
    /** A snapshot replaces what came before it, so unacknowledged output no longer counts. */
    reset() {
      parsed = 0
    },
  }
}
