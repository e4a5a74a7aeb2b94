/** Why the table refused: tools turn it into a failure that the model reads. */
export class ProcessRefusal extends Error {
  constructor(
    readonly kind: 'out-of-reach' | 'unknown' | 'ended' | 'no-input' | 'secret-input',
    message: string,
  ) {
    super(message)
    this.name = 'ProcessRefusal'
  }
}
