import type { ToolErrorKind } from '../../src-preload/contract/tool-calls'

/** The first five are about the connection and what runs there; the others are about files. */
type NodeErrorKind = 'unreachable' | 'missing' | 'busy' | 'timeout' | 'failed' | ToolErrorKind

/** What a machine could not do, as a message for the user and the model. Anything else that is thrown is a bug. */
export class NodeError extends Error {
  constructor(
    readonly kind: NodeErrorKind,
    message: string,
  ) {
    super(message)
    this.name = 'NodeError'
  }
}

/** The connection was lost during a command. The caller must not run the command again without checking first. */
export const connectionLost = (label: string): NodeError =>
  new NodeError(
    'unreachable',
    `The connection to ${label} was lost; the command may still be running there. Look before you run it again.`,
  )
