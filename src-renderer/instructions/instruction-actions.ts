import type { InstructionsView } from '../../src-preload/contract/instructions'
import { call } from '../state/bridge'
import { load } from '../state/load'
import { attempt } from '../state/toasts'

/** Makes main read the instructions of a session's folder. */
export const lookAtInstructions = (sessionId: string): void => void attempt(load('instructions.get', { sessionId }))

export const decideInstructions = ({ sessionId, folder }: InstructionsView, use: boolean): void =>
  void attempt(call('instructions.decide', { sessionId, folder, use }))

export const allowImport = ({ sessionId, folder }: InstructionsView, path: string): void =>
  void attempt(call('instructions.allowImport', { sessionId, folder, path }))
