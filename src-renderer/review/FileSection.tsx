import { Check, ChevronRight, Undo2 } from 'lucide-react'
import { memo, useEffect, useId, useMemo, useRef, useState } from 'react'
import type { ReviewComment, ReviewDiff, ReviewFile, ReviewScope } from '../../src-preload/contract/review'
import { Loaded } from '../page/Loaded'
import { useAsk } from '../page/use-ask'
import { call } from '../state/bridge'
import { count, visible } from '../state/format'
import { Button, IconButton } from '../ui'
import { CommentNote } from './CommentForm'
import { shownHunks } from './diff-layout'
import { HunkView } from './HunkView'
import { type ReviewActions, wasExpected } from './review-actions'
import { kindWords, verbs } from './review-words'

interface FileSectionProps {
  sessionId: string
  scope: ReviewScope
  file: ReviewFile
  split: boolean
  comments: ReviewComment[]
  actions: ReviewActions
  open: boolean
  onOpen: (open: boolean) => void
}

/** One changed file: collapsed to a line, or with its hunks. */
export const FileSection = memo(function FileSection(props: FileSectionProps) {
  const { scope, file, actions, open, onOpen } = props
  const id = useId()
  const { accept, revert } = verbs[scope]
  const fixed = file.kind === 'conflict' || file.kind === 'submodule'
  const here = { ...file, scope }
  return (
    <li className="review-file" data-viewed={file.viewed}>
      <div className="ui-row review-file-head">
        <button
          type="button"
          className="ui-row review-file-name"
          aria-expanded={open}
          aria-controls={id}
          onClick={() => onOpen(!open)}
        >
          <ChevronRight className="review-chevron" size={13} aria-hidden />
          <code>
            {file.from !== undefined && <span className="review-from">{visible(file.from)} → </span>}
            {visible(file.path)}
          </code>
          {kindWords[file.kind] && (
            <span className="ui-quiet review-kind" data-kind={file.kind}>
              {kindWords[file.kind]}
            </span>
          )}
          {file.added ? <span className="review-added">+{file.added}</span> : null}
          {file.removed ? <span className="review-removed">−{file.removed}</span> : null}
          {file.shared && <span className="review-hint">may include another program’s changes</span>}
        </button>
        <span className="review-file-tools">
          <Viewed file={file} actions={actions} onViewed={() => onOpen(false)} />
          {accept && !fixed && (
            <IconButton
              light
              label={`${accept}: ${file.path}`}
              icon={<Check size={14} />}
              onClick={() => actions.accept(here)}
            />
          )}
          {!fixed && (
            <IconButton
              light
              label={`${revert}: ${file.path}`}
              icon={<Undo2 size={14} />}
              onClick={() => actions.revert(here)}
            />
          )}
        </span>
      </div>
      <div id={id} hidden={!open}>
        {open && <FileDiffBody {...props} />}
      </div>
    </li>
  )
})

interface ViewedProps {
  file: ReviewFile
  actions: ReviewActions
  onViewed: () => void
}

function Viewed({ file, actions, onViewed }: ViewedProps) {
  const id = useId()
  const held = file.viewed ?? false
  // The user's choice is shown until main confirms it, or until the file changes.
  const [chosen, setChosen] = useState<{ viewed: boolean; stamp: string } | null>(null)
  const shown = chosen?.stamp === file.stamp ? chosen.viewed : held
  return (
    <label className="ui-row review-viewed" htmlFor={id}>
      <input
        id={id}
        type="checkbox"
        checked={shown}
        onChange={(event) => {
          const viewed = event.target.checked
          setChosen({ viewed, stamp: file.stamp })
          void actions.view(file, viewed)
          if (viewed) onViewed()
        }}
      />
      Viewed<span className="sr-only">: {file.path}</span>
    </label>
  )
}

const step = 600

function FileDiffBody({ sessionId, scope, file, split, comments, actions }: FileSectionProps) {
  const [diff, setDiff] = useState<ReviewDiff | null>(null)
  const [limit, setLimit] = useState(step)
  const { path, stamp } = file
  const asked = useAsk(() => call('review.diff', { sessionId, scope, path }).then(setDiff), `${scope} ${path} ${stamp}`)
  const first = useRef(stamp)
  const [changed, setChanged] = useState(false)
  useEffect(() => {
    if (first.current !== stamp) setChanged(!wasExpected(sessionId, path))
    first.current = stamp
  }, [stamp, sessionId, path])
  const { shown, rest } = useMemo(() => shownHunks(diff?.hunks ?? [], limit), [diff, limit])
  const placed = (hunk: ReviewDiff['hunks'][number]) => comments.filter((comment) => isIn(comment, hunk.lines))
  const loose = comments.filter((comment) => !diff?.hunks.some((hunk) => isIn(comment, hunk.lines)))
  return (
    <div className="review-file-body">
      <Loaded asked={asked} ready={diff !== null} what="The difference" small>
        {asked.problem && <p className="review-note">{asked.problem}</p>}
        {changed && (
          <p className="review-note" role="status">
            This file changed while you were looking. You see it as it is now.
          </p>
        )}
        {diff?.note && <p className="review-note">{diff.note}</p>}
        {diff?.obstacle && <p className="review-note">{diff.obstacle}</p>}
        {diff &&
          shown.map((hunk) => (
            <HunkView
              key={`${hunk.before}-${hunk.after}`}
              diff={diff}
              hunk={hunk}
              split={split}
              comments={placed(hunk)}
              actions={actions}
            />
          ))}
        {loose.map((comment) => (
          <CommentNote key={comment.id} comment={comment} />
        ))}
        {rest > 0 && (
          <Button kind="quiet" onClick={() => setLimit(limit + 5 * step)}>
            Show {count(Math.min(rest, 5 * step), 'more line')}
          </Button>
        )}
      </Loaded>
    </div>
  )
}

const isIn = ({ side, line }: ReviewComment, lines: ReviewDiff['hunks'][number]['lines']): boolean =>
  lines.some((each) => each[side] === line)
