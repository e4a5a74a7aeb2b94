import type { ProjectHooks } from '../../src-preload/contract/hooks'
import { call } from '../state/bridge'
import { attempt } from '../state/toasts'

export type HooksVerdict = 'trust' | 'later' | 'never'

/** Tells main what the user says about what is shown of a folder's hooks. */
export const decideHooks = ({ folder, hash }: ProjectHooks, verdict: HooksVerdict): void =>
  void attempt(call('hooks.decide', { folder, hash, verdict }))
