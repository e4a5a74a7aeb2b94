/** Error codes of the protocol. */
type ErrorCode = 101 | 102 | 103 | 400 | 401 | 403 | 404 | 409 | 413 | 429 | 499 | 500 | 503 | 504

/** The gateway refused, or the connection to a node failed. Errors of the tool itself are not a `GatewayError`. */
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
