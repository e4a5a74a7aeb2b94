import { Webhook } from 'lucide-react'
import { Suspense, useEffect, useState } from 'react'
import type { FolderNotice } from '../folder-notices/folder-notice'
import { lazily } from '../layout/lazily'
import { count } from '../state/format'
import { load } from '../state/load'
import { useDeckhand } from '../state/store'
import { attempt } from '../state/toasts'
import { Button } from '../ui'
import { decideHooks } from './hook-actions'

const HooksDialog = lazily(async () => (await import('./HooksDialog')).HooksDialog)

/** That the folder of a session brings programs to be run as hooks. Until the user agrees, none runs. */
export function useHooksNotice(sessionId: string): FolderNotice | null {
  const folder = useDeckhand((state) => state.sessions[sessionId]?.workspace)
  const status = useDeckhand((state) => state.sessions[sessionId]?.status)
  const project = useDeckhand((state) => (folder === undefined ? undefined : state.hooks[folder]))
  const [open, setOpen] = useState(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another folder, and a turn that may have changed it
  useEffect(() => void attempt(load('hooks.get', { sessionId })), [sessionId, folder, status])

  if (project?.state !== 'asks') return null
  const hooks = count(project.hooks.length, 'hook', 'hooks')
  return {
    id: 'hooks',
    icon: <Webhook size={14} aria-hidden />,
    brief: project.changed ? 'changed hooks' : hooks,
    words: project.changed
      ? 'This folder’s hooks have changed since you trusted them. They are off.'
      : `This folder includes ${hooks}: programs that run while the agent works. None runs unless you trust it.`,
    runs: true,
    actions: (
      <>
        <Button onClick={() => setOpen(true)}>Review</Button>
        <Button kind="quiet" onClick={() => decideHooks(project, 'later')}>
          Not now
        </Button>
      </>
    ),
    dialog: open && (
      <Suspense>
        <HooksDialog project={project} onClose={() => setOpen(false)} />
      </Suspense>
    ),
  }
}
