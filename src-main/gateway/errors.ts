/** The protocol's numbers for what went wrong. */
type ErrorCode = 101 | 102 | 103 | 400 | 401 | 403 | 404 | 409 | 413 | 429 | 499 | 500 | 503 | 504

/** A refusal by the gateway, or trouble on the way to a node; never what a tool itself reports. */
export class GatewayError extends Error {
  constructor(
    readonly code: ErrorCode,
    message: string,
    readonly retryable = code === 503 || code === 504 || code === 429,
  ) {
    super(message)
    this.name = 'GatewayError'
  }
}
