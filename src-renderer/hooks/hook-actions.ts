import type { ProjectHooks } from '../../src-preload/contract/hooks'
import type { TrustVerdict } from '../folder-notices/TrustDialog'
import { call } from '../state/bridge'
import { attempt } from '../state/toasts'

/** Sends main the user's decision about a folder's hooks, as they were shown. */
export const decideHooks = ({ folder, hash }: ProjectHooks, verdict: TrustVerdict): void =>
  void attempt(call('hooks.decide', { folder, hash, verdict }))
