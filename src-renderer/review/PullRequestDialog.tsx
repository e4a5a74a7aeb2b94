import { useId, useState } from 'react'
import type { ShipWish } from '../../src-preload/contract/review'
import { Button, Dialog } from '../ui'

interface PullRequestDialogProps {
  branch: string
  onClose: () => void
  onDone: (wish: ShipWish) => void
}

/** Title and description of a pull request. */
export function PullRequestDialog({ branch, onClose, onDone }: PullRequestDialogProps) {
  const [title, setTitle] = useState(titleOf(branch))
  const [body, setBody] = useState('')
  const [draft, setDraft] = useState(false)
  const id = useId()
  return (
    <Dialog
      open
      onClose={onClose}
      title="New pull request"
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            kind="primary"
            disabled={title.trim() === ''}
            onClick={() => onDone({ kind: 'pull-request', title, body, draft })}
          >
            Next
          </Button>
        </>
      }
    >
      <div className="ui-column review-plan">
        <label htmlFor={`${id}-title`}>Title</label>
        <input
          id={`${id}-title`}
          className="review-input"
          value={title}
          onChange={(event) => setTitle(event.target.value)}
        />
        <label htmlFor={`${id}-body`}>Description</label>
        <textarea
          id={`${id}-body`}
          className="review-input"
          rows={6}
          value={body}
          onChange={(event) => setBody(event.target.value)}
        />
        <label className="ui-row review-viewed" htmlFor={`${id}-draft`}>
          <input
            id={`${id}-draft`}
            type="checkbox"
            checked={draft}
            onChange={(event) => setDraft(event.target.checked)}
          />
          Draft
        </label>
      </div>
    </Dialog>
  )
}

/** A first title from the name of the branch. */
const titleOf = (branch: string): string => {
  const words = (branch.split('/').at(-1) ?? '').replace(/[-_]+/g, ' ').trim()
  return words.charAt(0).toUpperCase() + words.slice(1)
}
