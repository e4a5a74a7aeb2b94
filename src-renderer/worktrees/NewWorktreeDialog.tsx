import { useId, useState } from 'react'
import type { WorktreeSetup } from '../../src-preload/contract/worktrees'
import { Loaded } from '../page/Loaded'
import { useAsk } from '../page/use-ask'
import { useBusy } from '../page/use-busy'
import { call } from '../state/bridge'
import { selectSession } from '../state/navigate'
import { Button, Dialog } from '../ui'

/** A branch and a folder for a new session, with the setup commands of this project. */
export function NewWorktreeDialog({ sessionId, onClose }: { sessionId: string; onClose: () => void }) {
  const [setup, setSetup] = useState<WorktreeSetup | null>(null)
  const [name, setName] = useState('')
  const [busy, run] = useBusy()
  const asked = useAsk(() => call('worktree.get', { sessionId }).then(setSetup))
  const id = useId()
  const create = () => {
    if (!setup) return
    const copy = setup.copy.map((each) => each.trim()).filter(Boolean)
    run(
      call('worktree.create', { sessionId, name, setup: { ...setup, copy } }).then((created) => {
        onClose()
        selectSession(created)
      }),
    )
  }
  return (
    <Dialog
      open
      onClose={onClose}
      title="New session in a work tree"
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" disabled={!setup || busy} onClick={create}>
            Create
          </Button>
        </>
      }
    >
      <Loaded asked={asked} ready={setup !== null} what="The project" small>
        {setup && (
          <div className="ui-column worktree-form">
            <p>The session gets a branch and a folder of its own, so it does not disturb this one.</p>
            <label htmlFor={`${id}-name`}>Name (optional)</label>
            <input
              id={`${id}-name`}
              placeholder="fix-login"
              maxLength={60}
              value={name}
              onChange={(event) => setName(event.target.value)}
            />
            <label htmlFor={`${id}-command`}>Set-up command (optional)</label>
            <input
              id={`${id}-command`}
              placeholder="npm ci"
              value={setup.command}
              onChange={(event) => setSetup({ ...setup, command: event.target.value })}
            />
            <label htmlFor={`${id}-copy`}>Files to copy, one per line</label>
            <textarea
              id={`${id}-copy`}
              rows={3}
              value={setup.copy.join('\n')}
              onChange={(event) => setSetup({ ...setup, copy: event.target.value.split('\n') })}
            />
            <p className="worktree-hint">The command and the files are remembered for this project.</p>
          </div>
        )}
      </Loaded>
    </Dialog>
  )
}
