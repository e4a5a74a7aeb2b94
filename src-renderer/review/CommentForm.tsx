import { Trash2 } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import type { ReviewComment } from '../../src-preload/contract/review'
import { call } from '../state/bridge'
import { attempt } from '../state/toasts'
import { Button, IconButton } from '../ui'

interface CommentFormProps {
  place: Pick<ReviewComment, 'side' | 'line' | 'endLine'>
  onSave: (text: string) => void
  onCancel: () => void
}

/** A comment on lines. It is kept with the others until all are sent. */
export function CommentForm({ place, onSave, onCancel }: CommentFormProps) {
  const [text, setText] = useState('')
  const field = useRef<HTMLTextAreaElement>(null)
  useEffect(() => field.current?.focus(), [])
  const save = () => text.trim() !== '' && onSave(text.trim())
  return (
    <form
      className="ui-column review-comment-form"
      onSubmit={(event) => {
        event.preventDefault()
        save()
      }}
    >
      <textarea
        ref={field}
        aria-label={`Comment on ${linesOf(place)}`}
        placeholder="Comment for the agent"
        rows={3}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') onCancel()
          else if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) save()
          else return
          event.preventDefault()
          event.stopPropagation()
        }}
      />
      <div className="review-comment-buttons">
        <Button onClick={onCancel}>Cancel</Button>
        <Button kind="primary" type="submit" disabled={text.trim() === ''}>
          Add comment
        </Button>
      </div>
    </form>
  )
}

export function CommentNote({ comment }: { comment: ReviewComment }) {
  const { id, sessionId, text } = comment
  return (
    <div className="review-comment">
      <span className="ui-quiet review-comment-place">{linesOf(comment)}</span>
      <p>{text}</p>
      <IconButton
        light
        label="Delete comment"
        icon={<Trash2 size={13} />}
        onClick={() => attempt(call('review.uncomment', { sessionId, id }))}
      />
    </div>
  )
}

const linesOf = ({ side, line, endLine }: Pick<ReviewComment, 'side' | 'line' | 'endLine'>): string =>
  `${line === endLine ? `line ${line}` : `lines ${line}–${endLine}`}${side === 'before' ? ' (before)' : ''}`
