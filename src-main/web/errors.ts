/** Why a fetch failed; the message is for the model. */
export class WebError extends Error {
  constructor(
    readonly kind: 'invalid' | 'refused' | 'failed' | 'timeout',
    message: string,
  ) {
    super(message)
    this.name = 'WebError'
  }
}
