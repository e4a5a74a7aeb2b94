import { Check, MessageSquarePlus, Undo2 } from 'lucide-react'
import { useEffect, useMemo, useState } from 'react'
import type { ReviewComment, ReviewDiff, ReviewHunk } from '../../src-preload/contract/review'
import { count } from '../state/format'
import { Button } from '../ui'
import { CommentForm, CommentNote } from './CommentForm'
import { placeOf } from './diff-layout'
import { HunkLines } from './HunkLines'
import type { ReviewActions } from './review-actions'
import { verbs } from './review-words'

interface HunkViewProps {
  diff: ReviewDiff
  hunk: ReviewHunk
  split: boolean
  comments: ReviewComment[]
  actions: ReviewActions
}

/** One hunk: its lines, the actions for it or for the selected lines, and the comments on it. */
export function HunkView({ diff, hunk, split, comments, actions }: HunkViewProps) {
  const [selected, setSelected] = useState<Set<number>>(new Set())
  const [writing, setWriting] = useState(false)
  // Positions in the previous hunk mean nothing in a new one.
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new hunk is the reason
  useEffect(() => setSelected(new Set()), [hunk])
  const chosen = useMemo(() => hunk.lines.filter((_, at) => selected.has(at)), [hunk, selected])
  const indexes = (chosen.length > 0 ? chosen : hunk.lines).flatMap(({ index }) => index ?? [])
  const { accept, revert } = verbs[diff.scope]
  const what = chosen.length > 0 ? count(chosen.length, 'line') : 'hunk'
  const place = placeOf(chosen.length > 0 ? chosen : hunk.lines.filter(({ kind }) => kind !== 'same'))
  const can = diff.canPick && indexes.length > 0

  const take = () => can && diff.canAccept && void actions.accept(diff, indexes)
  const back = () => can && diff.canRevert && void actions.revert(diff, indexes)

  return (
    <section className="review-hunk" aria-label={`Change at line ${hunk.after}`}>
      <div className="ui-row review-hunk-head">
        <span className="ui-quiet review-hunk-place">
          Line {hunk.after}
          {chosen.length > 0 && `, ${count(chosen.length, 'line')} selected`}
        </span>
        {can && diff.canAccept && accept && (
          <Button kind="quiet" icon={<Check size={13} />} onClick={take}>
            {accept} {what}
          </Button>
        )}
        {can && diff.canRevert && (
          <Button kind="quiet" icon={<Undo2 size={13} />} onClick={back}>
            {revert} {what}
          </Button>
        )}
        <Button kind="quiet" icon={<MessageSquarePlus size={13} />} disabled={!place} onClick={() => setWriting(true)}>
          Comment
        </Button>
      </div>
      <HunkLines
        hunk={hunk}
        path={diff.path}
        split={split}
        selected={selected}
        onSelect={setSelected}
        onKey={(key) => (key === 'accept' ? take() : key === 'revert' ? back() : setWriting(true))}
      />
      {comments.map((comment) => (
        <CommentNote key={comment.id} comment={comment} />
      ))}
      {writing && place && (
        <CommentForm
          place={place}
          onCancel={() => setWriting(false)}
          onSave={(text) => {
            const lines = chosen.length > 0 ? chosen : hunk.lines.filter(({ kind }) => kind !== 'same')
            actions.comment(diff, place, lines.map((line) => line.text).join('\n'), text)
            setWriting(false)
            setSelected(new Set())
          }}
        />
      )}
    </section>
  )
}
