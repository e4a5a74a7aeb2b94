import type { ProjectHooks } from '../../src-preload/contract/hooks'
import type { TrustVerdict } from '../folder-notices/TrustDialog'
import { call } from '../state/bridge'
import { attempt } from '../state/toasts'

/** Tells main what the user says about what is shown of a folder's hooks. */
export const decideHooks = ({ folder, hash }: ProjectHooks, verdict: TrustVerdict): void =>
  void attempt(call('hooks.decide', { folder, hash, verdict }))
