import { Columns2, FileDiff, RefreshCw, Rows2, SquareTerminal } from 'lucide-react'
import { useMemo, useState } from 'react'
import type { ReviewList } from '../../src-preload/contract/review'
import { Loaded } from '../page/Loaded'
import { showTerminals } from '../state/review'
import { useDeckhand } from '../state/store'
import { Badge, Empty, IconButton } from '../ui'
import { CommentsBar } from './CommentsBar'
import { Accepted, FileList } from './FileList'
import { reviewActions } from './review-actions'
import { ShipBar } from './ShipBar'
import { useReview } from './use-review'
import './review.css'

type Tab = 'session' | 'tree'

const splitKey = 'deckhand.review.split'

/** Beside the chat: what changed in the session and in the work tree, file by file. */
export function ReviewPanel({ sessionId }: { sessionId: string }) {
  return <SessionReview key={sessionId} sessionId={sessionId} />
}

function SessionReview({ sessionId }: { sessionId: string }) {
  const { list, asked } = useReview(sessionId)
  const [tab, setTab] = useState<Tab>('session')
  const [split, setSplit] = useState(localStorage.getItem(splitKey) === 'yes')
  const changeSplit = () => {
    localStorage.setItem(splitKey, split ? 'no' : 'yes')
    setSplit(!split)
  }
  return (
    <section className="review-panel" aria-label="Review">
      <header className="ui-row review-head">
        <h2>Review</h2>
        <div role="tablist" aria-label="What to review" className="review-tabs">
          <TabButton id="session" tab={tab} onSelect={setTab} count={list?.session.length ?? 0}>
            Session
          </TabButton>
          <TabButton id="tree" tab={tab} onSelect={setTab} count={countOf(list)}>
            Working tree
          </TabButton>
        </div>
        <span className="review-space" />
        <IconButton
          label={split ? 'Unified view' : 'Split view'}
          aria-pressed={split}
          icon={split ? <Rows2 size={15} /> : <Columns2 size={15} />}
          onClick={changeSplit}
        />
        <IconButton label="Refresh" icon={<RefreshCw size={14} />} onClick={asked.again} />
        <IconButton label="Show terminals" icon={<SquareTerminal size={15} />} onClick={showTerminals} />
      </header>
      <CommentsBar sessionId={sessionId} />
      <div
        role="tabpanel"
        id="review-tabpanel"
        aria-label={tab === 'session' ? 'Session' : 'Working tree'}
        className="review-body"
      >
        <Loaded asked={asked} ready={list !== null} what="The changes">
          {list && tab === 'session' && <SessionTab sessionId={sessionId} list={list} split={split} />}
          {list && tab === 'tree' && <TreeTab sessionId={sessionId} list={list} split={split} />}
        </Loaded>
      </div>
      {tab === 'tree' && list?.repository && <ShipBar sessionId={sessionId} repository={list.repository} />}
    </section>
  )
}

const countOf = (list: ReviewList | null): number =>
  (list?.repository?.unstaged.length ?? 0) + (list?.repository?.staged.length ?? 0)

interface TabButtonProps {
  id: Tab
  tab: Tab
  count: number
  onSelect: (tab: Tab) => void
  children: string
}

function TabButton({ id, tab, count, onSelect, children }: TabButtonProps) {
  const active = id === tab
  return (
    <button
      type="button"
      role="tab"
      id={`review-tab-${id}`}
      aria-selected={active}
      aria-controls="review-tabpanel"
      tabIndex={active ? 0 : -1}
      className="ui-row review-tab"
      onClick={() => onSelect(id)}
      onKeyDown={(event) => {
        if (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight') return
        const other: Tab = id === 'session' ? 'tree' : 'session'
        onSelect(other)
        document.getElementById(`review-tab-${other}`)?.focus()
      }}
    >
      {children}
      {count > 0 && <Badge label={`${count} files`}>{count}</Badge>}
    </button>
  )
}

interface TabProps {
  sessionId: string
  list: ReviewList
  split: boolean
}

const noComments: never[] = []

function SessionTab({ sessionId, list, split }: TabProps) {
  const comments = useDeckhand((state) => state.reviewComments[sessionId] ?? noComments)
  const actions = useMemo(() => reviewActions(sessionId), [sessionId])
  if (list.session.length === 0 && list.accepted.length === 0)
    return (
      <Empty icon={<FileDiff size={28} />} title="Nothing to review">
        Files that this session changes appear here with their differences. Git is not needed.
      </Empty>
    )
  return (
    <>
      {list.sessionCut && <p className="review-note">Too many files to list them all.</p>}
      {list.session.length === 0 && <p className="review-note">Everything is accepted.</p>}
      <FileList
        {...{ sessionId, split, comments, actions }}
        title="Changed files"
        scope="session"
        files={list.session}
      />
      {list.accepted.length > 0 && <Accepted sessionId={sessionId} paths={list.accepted} />}
    </>
  )
}

function TreeTab({ sessionId, list, split }: TabProps) {
  const comments = useDeckhand((state) => state.reviewComments[sessionId] ?? noComments)
  const actions = useMemo(() => reviewActions(sessionId), [sessionId])
  const { repository, problem } = list
  if (problem !== undefined)
    return (
      <Empty icon={<FileDiff size={28} />} title="The repository could not be read">
        <p role="alert">{problem}</p>
      </Empty>
    )
  if (!repository)
    return (
      <Empty icon={<FileDiff size={28} />} title="Not a git repository">
        Run <code>git init</code> in this folder to review, commit and push its files here. The Session tab works
        without git.
      </Empty>
    )
  const shared = { sessionId, split, comments, actions }
  const clean = repository.unstaged.length === 0 && repository.staged.length === 0
  return (
    <>
      {repository.cut && <p className="review-note">Too many files to list them all.</p>}
      {clean && (
        <Empty icon={<FileDiff size={28} />} title="The working tree is clean">
          Everything is committed{repository.branch ? ` on ${repository.branch}` : ''}.
        </Empty>
      )}
      <FileList {...shared} title="Staged" scope="staged" files={repository.staged} />
      <FileList {...shared} title="Not staged" scope="unstaged" files={repository.unstaged} />
    </>
  )
}
