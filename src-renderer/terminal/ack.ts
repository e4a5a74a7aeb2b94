/** How much of the output must have been parsed before the terminal host is told so. */
const ACK_STEP = 32 * 1024

/**
 * Adds up what the terminal has parsed and reports it in steps, so that a flood of small pieces does not answer with a
 * flood of small acknowledgements. What is left over stays counted and goes out with the next step.
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
    /** A snapshot replaces what came before it, so what was not yet reported no longer counts. */
    reset() {
      parsed = 0
    },
  }
}
