import { GitBranch, GitBranchPlus } from 'lucide-react'
import { useEffect, useState } from 'react'
import { load } from '../state/load'
import { useDeckhand } from '../state/store'
import { IconButton } from '../ui'
import { EndWorktreeDialog } from './EndWorktreeDialog'
import { NewWorktreeDialog } from './NewWorktreeDialog'
import './worktrees.css'

/** In the header of the chat: the session's work tree with the ways to end it, or a button to create one. */
export function WorktreeChip({ sessionId }: { sessionId: string }) {
  const worktree = useDeckhand((state) => state.worktrees.find((each) => each.sessionId === sessionId))
  const [open, setOpen] = useState(false)
  useEffect(() => {
    load('worktree.list', {}).catch((error: Error) => console.warn(error.message))
  }, [])
  return (
    <>
      {worktree ? (
        <button
          type="button"
          className="worktree-chip"
          title={`${worktree.path}\nFrom ${worktree.base}, PORT=${worktree.port}`}
          aria-label={`Work tree ${worktree.branch}, port ${worktree.port}: merge, rebase, keep or discard`}
          onClick={() => setOpen(true)}
        >
          <GitBranch size={13} aria-hidden />
          <span className="ui-cut worktree-branch">{worktree.branch}</span>
          <span className="worktree-port">:{worktree.port}</span>
        </button>
      ) : (
        <IconButton
          label="New session in a work tree"
          icon={<GitBranchPlus size={16} />}
          onClick={() => setOpen(true)}
        />
      )}
      {open && worktree && <EndWorktreeDialog worktree={worktree} onClose={() => setOpen(false)} />}
      {open && !worktree && <NewWorktreeDialog sessionId={sessionId} onClose={() => setOpen(false)} />}
    </>
  )
}
