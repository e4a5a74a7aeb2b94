import { CircleAlert, FlaskConical, LoaderCircle, SquareTerminal } from 'lucide-react'
import { type RefObject, useState } from 'react'
import type { Question } from '../../src-preload/contract/approval'
import type { TrialState } from '../../src-preload/contract/sandbox'
import { Diff } from '../chat/Diff'
import { count, duration, visible } from '../state/format'
import { focusProcess } from '../state/navigate'
import { discardTrial, startTrial } from '../state/sandbox'
import { isShortcut } from '../state/shortcuts'
import { Button, Scroll } from '../ui'
import { isUnlocked } from './question'
import { TypedWord } from './TypedWord'
import { useAnswer } from './use-answer'
import { isInText, useCardKeys } from './use-card-keys'
import { useGuard } from './use-guard'
import './trial.css'

interface TrialProps {
  card: RefObject<HTMLElement | null>
  question: Question
  trial: TrialState
  onAnswered: () => void
}

/** Trying a command in a copy of the workspace before answering: the offer, the run, and its result. */
export function Trial({ card, question, trial, onAnswered }: TrialProps) {
  const idle = trial.status === 'offered' || trial.status === 'failed'
  useCardKeys(card, (event) => {
    if (isInText(event) || !idle || !event.isTrusted || event.repeat || !isShortcut('try-command', event)) return
    event.preventDefault()
    startTrial(question.id)
  })
  return (
    <section className="trial" aria-label="Trial" aria-busy={trial.status === 'running'}>
      {idle && <Offer questionId={question.id} trial={trial} />}
      {trial.status === 'running' && (
        <div className="ui-row trial-row">
          <LoaderCircle className="trial-busy" size={14} aria-hidden />
          <span>Running in a copy of the workspace…</span>
          <span className="approval-spacer" />
          <OpenTerminal processId={trial.processId} />
          <Button onClick={() => discardTrial(question.id)}>Stop</Button>
        </div>
      )}
      {trial.status === 'done' && <Outcome question={question} trial={trial} onAnswered={onAnswered} />}
    </section>
  )
}

function Offer({ questionId, trial }: { questionId: string; trial: TrialState }) {
  return (
    <div className="ui-row trial-row">
      <Button
        icon={<FlaskConical size={14} aria-hidden />}
        shortcut="try-command"
        onClick={() => startTrial(questionId)}
      >
        {trial.status === 'failed' ? 'Try again' : 'Try it'}
      </Button>
      <span className="trial-hint">
        {trial.status === 'failed' ? (
          <span role="alert">{trial.message} Nothing was changed.</span>
        ) : (
          ['Runs in a copy of the workspace and shows what would change.', ...trial.limits].join(' ')
        )}
      </span>
    </div>
  )
}

type Done = Extract<TrialState, { status: 'done' }>

function Outcome({ question, trial, onAnswered }: { question: Question; trial: Done; onAnswered: () => void }) {
  const { busy, error, answer } = useAnswer(question, onAnswered)
  const meant = useGuard()
  const [typed, setTyped] = useState('')
  const word = question.typedWord ?? trial.typedWord
  const unlocked = isUnlocked(word, typed)
  const { files, more, obstacle, exitCode, tail } = trial
  return (
    <>
      <div className="ui-row trial-row">
        <FlaskConical size={14} aria-hidden />
        <strong>{outcomeWords(trial)}</strong>
      </div>
      {tail.trim() !== '' && (
        <Scroll className="trial-tail" label="Output of the trial">
          {visible(tail.trimEnd())}
        </Scroll>
      )}
      {files.length > 0 && (
        <div className="approval-diff">
          <Diff files={files} />
        </div>
      )}
      {more > 0 && <p className="trial-hint">and {count(more, 'more file')} with nothing to show</p>}
      <p className="trial-hint">{trial.limits.join(' ')}</p>
      {(obstacle ?? error) && (
        <p className="ui-row trial-obstacle" role="alert">
          <CircleAlert size={14} aria-hidden />
          {obstacle ? `${obstacle} It cannot be applied.` : `Not applied: ${error}`}
        </p>
      )}
      {word !== undefined && obstacle === undefined && (
        <TypedWord word={word} button="Apply" typed={typed} disabled={busy} onType={setTyped} />
      )}
      <div className="ui-row approval-actions">
        <Button
          kind={exitCode === 0 ? 'primary' : 'plain'}
          disabled={busy || !unlocked || obstacle !== undefined}
          onClick={(event) =>
            meant(event) && answer({ decision: 'apply', ...(word !== undefined && { typed: typed.trim() }) })
          }
        >
          {files.length + more > 0 ? 'Apply these changes' : 'Use this result'}
        </Button>
        <Button disabled={busy} onClick={() => discardTrial(question.id)}>
          Discard
        </Button>
        <span className="approval-spacer" />
        <OpenTerminal processId={trial.processId} />
      </div>
    </>
  )
}

function OpenTerminal({ processId }: { processId: string }) {
  return (
    <Button kind="quiet" icon={<SquareTerminal size={14} aria-hidden />} onClick={() => focusProcess(processId)}>
      Open terminal
    </Button>
  )
}

function outcomeWords({ exitCode, durationMs, files, more }: Done): string {
  const end =
    exitCode === 0 ? 'succeeded in' : exitCode === null ? 'stopped after' : `failed with exit code ${exitCode} after`
  const changes = files.length + more
  return `Tried in a copy: ${end} ${duration(durationMs)}, ${changes === 0 ? 'changed nothing' : `changed ${count(changes, 'file')}`}.`
}
