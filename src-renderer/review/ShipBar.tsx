import { GitBranch, Sparkles } from 'lucide-react'
import { useState } from 'react'
import type { ReviewRepository, ShipWish } from '../../src-preload/contract/review'
import { call } from '../state/bridge'
import { focusProcess } from '../state/navigate'
import { useDeckhand } from '../state/store'
import { attempt } from '../state/toasts'
import { Button, IconButton } from '../ui'
import { PullRequestDialog } from './PullRequestDialog'
import { ShipDialog } from './ShipDialog'

interface ShipBarProps {
  sessionId: string
  repository: ReviewRepository
}

/**
 * The message of the next commit, and buttons to commit, push and open a pull request. Each is shown before it is done.
 */
export function ShipBar({ sessionId, repository }: ShipBarProps) {
  const [message, setMessage] = useState('')
  const [proposing, setProposing] = useState(false)
  const [wish, setWish] = useState<ShipWish | null>(null)
  const [asking, setAsking] = useState(false)
  const [started, setStarted] = useState<{ id: string; kind: ShipWish['kind'] } | null>(null)
  const { branch, upstream, ahead, behind, staged, remotes, forge, hasCommits } = repository
  const propose = () => {
    setProposing(true)
    void attempt(call('review.message', { sessionId }).then(setMessage)).then(() => setProposing(false))
  }
  return (
    <div className="review-ship">
      <p className="ui-row review-branch">
        <GitBranch size={13} aria-hidden />
        <span>{branch ?? 'No branch (detached HEAD)'}</span>
        {upstream && <span className="review-hint">{upstream}</span>}
        {ahead > 0 && <span className="review-hint">{ahead} to push</span>}
        {behind > 0 && <span className="review-hint">{behind} to pull</span>}
      </p>
      {staged.length > 0 && (
        <div className="review-message">
          <textarea
            className="review-input"
            aria-label="Commit message"
            placeholder="Commit message"
            rows={2}
            value={message}
            onChange={(event) => setMessage(event.target.value)}
          />
          <IconButton
            label="Suggest a message"
            icon={<Sparkles size={15} />}
            disabled={proposing}
            aria-busy={proposing}
            onClick={propose}
          />
        </div>
      )}
      <div className="ui-row review-ship-buttons">
        <Button
          kind={staged.length > 0 ? 'primary' : 'plain'}
          disabled={staged.length === 0}
          onClick={() => setWish({ kind: 'commit', message })}
        >
          Commit…
        </Button>
        <Button disabled={remotes.length === 0 || !hasCommits} onClick={() => setWish({ kind: 'push' })}>
          Push…
        </Button>
        {forge && (
          <Button onClick={() => setAsking(true)}>{forge === 'gh' ? 'Pull request…' : 'Merge request…'}</Button>
        )}
        <Outcome started={started} />
      </div>
      {asking && (
        <PullRequestDialog
          branch={branch ?? ''}
          onClose={() => setAsking(false)}
          onDone={(next) => {
            setAsking(false)
            setWish(next)
          }}
        />
      )}
      {wish && (
        <ShipDialog
          sessionId={sessionId}
          wish={wish}
          onClose={() => setWish(null)}
          onStarted={(id) => {
            if (wish.kind === 'commit') setMessage('')
            setStarted({ id, kind: wish.kind })
            setWish(null)
          }}
        />
      )}
    </div>
  )
}

const names = { commit: 'Commit', push: 'Push', 'pull-request': 'Pull request' }

/** The result of the last action, with a link to its terminal. */
function Outcome({ started }: { started: { id: string; kind: ShipWish['kind'] } | null }) {
  const process = useDeckhand((state) => (started ? state.processes[started.id] : undefined))
  if (!started || !process) return null
  const running = process.status === 'running'
  const words = running ? 'running…' : process.exitCode === 0 ? 'done' : `failed (exit code ${process.exitCode ?? '?'})`
  return (
    <span className="review-outcome" role="status" data-failed={!running && process.exitCode !== 0 ? true : undefined}>
      {names[started.kind]} {words}
      <Button kind="quiet" onClick={() => focusProcess(started.id)}>
        Show terminal
      </Button>
    </span>
  )
}
