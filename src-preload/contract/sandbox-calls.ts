import { z } from 'zod'
import { call, id, none, read } from './call'
import type { SandboxLoaded } from './events'

export const sandboxCalls = {
  /** Looks the first time it is asked, by running something in it. */
  'sandbox.status': read<SandboxLoaded>()(none),
  /** Makes a call that the sandbox got in the way of once more, outside: the gate decides as if there were none. */
  'sandbox.runOutside': call<null>()(() => z.strictObject({ callId: id }), 'Run a command outside the sandbox?'),
  /** Tries the command of a question; what comes of it is told as a change of the question. */
  'trial.start': call<null>()(() => z.strictObject({ questionId: id }), 'Try a command?'),
  /** Ends a trial that runs, or throws away what one has brought. */
  'trial.discard': call<null>()(() => z.strictObject({ questionId: id })),
} as const
