import { Webhook } from 'lucide-react'
import type { FolderNotice } from '../folder-notices/folder-notice'
import { useLookedAtFolder, useTrustOffer } from '../folder-notices/use-trust-notice'
import { lazily } from '../layout/lazily'
import { count } from '../state/format'
import { load } from '../state/load'
import { useDeckhand } from '../state/store'
import { attempt } from '../state/toasts'
import { decideHooks } from './hook-actions'

const HooksDialog = lazily(async () => (await import('./HooksDialog')).HooksDialog)

const look = (sessionId: string) => void attempt(load('hooks.get', { sessionId }))

/** The notice that the session's folder has hooks, which are programs. None runs until the user agrees. */
export function useHooksNotice(sessionId: string): FolderNotice | null {
  const folder = useLookedAtFolder(sessionId, look)
  const project = useDeckhand((state) => (folder === undefined ? undefined : state.hooks[folder]))
  const offer = useTrustOffer()

  if (project?.state !== 'asks') return null
  const hooks = count(project.hooks.length, 'hook', 'hooks')
  return {
    id: 'hooks',
    icon: <Webhook size={14} aria-hidden />,
    brief: project.changed ? 'changed hooks' : hooks,
    words: project.changed
      ? 'This folder’s hooks have changed since you trusted them. They are off.'
      : `This folder includes ${hooks}: programs that run while the agent works. None runs unless you trust it.`,
    ...offer(
      (close) => <HooksDialog project={project} onClose={close} />,
      () => decideHooks(project, 'later'),
    ),
  }
}
