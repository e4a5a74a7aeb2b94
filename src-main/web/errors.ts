/** Why something was not fetched, in words for a model. */
export class WebError extends Error {
  constructor(
    readonly kind: 'invalid' | 'refused' | 'failed' | 'timeout',
    message: string,
  ) {
    super(message)
    this.name = 'WebError'
  }
}
