import type { sandboxCalls } from '../../src-preload/contract/sandbox-calls'
import type { Engine } from '../engine'
import { type HandlersFor, nothing } from './handlers'

/** The sandbox that commands run in, and trials of commands that wait for an answer. */
export const sandboxHandlers = ({ sandbox, runner }: Engine): HandlersFor<typeof sandboxCalls> => ({
  'sandbox.status': async () => ({ type: 'sandbox', sandbox: await sandbox.status() }),
  'sandbox.runOutside': ({ callId }) => nothing(runner.runOutside(callId)),
  'trial.start': async ({ questionId }) => nothing(await runner.tryCommand(questionId)),
  'trial.discard': async ({ questionId }) => nothing(await runner.discardTrial(questionId)),
})
