import { ChevronDown } from 'lucide-react'
import { type RefObject, useId, useState } from 'react'
import type { Answer, Question } from '../../src-preload/contract/approval'
import { hasPile } from '../state/marks'
import { isShortcut } from '../state/shortcuts'
import { Button } from '../ui'
import { DenyNote } from './DenyNote'
import { EditCommand } from './EditCommand'
import { isUnlocked } from './question'
import { RuleOffers } from './RuleOffers'
import { TypedWord } from './TypedWord'
import { useAnswer } from './use-answer'
import { isInText, useCardKeys, useEmptyComposerKey } from './use-card-keys'
import { useGuard } from './use-guard'
import { WiderScope } from './WiderScope'

interface AnswerBarProps {
  card: RefObject<HTMLElement | null>
  question: Question
  onAnswered: () => void
  /** A copy of what would be lost is taken first. */
  keepsCopy: boolean
}

type Open = 'rules' | 'edit' | 'note' | null

/** The answers to a call that waits, with their keys. */
export function AnswerBar({ card, question, onAnswered, keepsCopy }: AnswerBarProps) {
  const { busy, error, answer } = useAnswer(question, onAnswered)
  const meant = useGuard()
  const [open, setOpen] = useState<Open>(null)
  const [typed, setTyped] = useState('')
  const scopeId = useId()
  const unlocked = isUnlocked(question.typedWord, typed)
  const loop = question.kind === 'loop'
  // What the window cannot draw cannot be edited in it either.
  const editable = question.editable && !hasPile(question.command ?? '')
  // What needs a typed word is asked for every time.
  const lasting = !loop && question.typedWord === undefined
  const offers = lasting ? question.offers : []
  // Main takes only what was offered: nothing lasting for a command that cannot be described.
  const sessionOffer = offers.find((offer) => offer.scope === 'session')
  const forSession = sessionOffer !== undefined
  // What is typed into a program is allowed for that program, and for nothing wider.
  const forProcess = offers.find((offer) => offer.scope === 'process')
  const widerOffer = sessionOffer ?? forProcess
  const wider: Answer | null = forSession
    ? { decision: 'allow', scope: 'session' }
    : forProcess
      ? { decision: 'allow', scope: 'rule', offer: forProcess.index }
      : null

  const give = (event: { isTrusted: boolean; repeat?: boolean }, what: Answer) => {
    if (!meant(event)) return
    if (what.decision === 'allow' && !unlocked) return
    if (what.decision !== 'allow') return answer(what)
    answer({ ...what, ...(typed !== '' && { typed: typed.trim() }), ...(keepsCopy && { copy: true }) })
  }
  const close = () => {
    setOpen(null)
    card.current?.focus()
  }

  const onKey = (event: globalThis.KeyboardEvent) => {
    const act = (run: () => void) => {
      event.preventDefault()
      event.stopPropagation()
      run()
    }
    if (event.key === 'Escape' && open) return act(close)
    if (isShortcut('allow-session', event)) return act(() => wider && give(event, wider))
    // While the command or a note is being written, the same keys finish that.
    if (open === 'edit' || open === 'note') return
    if (isShortcut('allow', event)) return act(() => give(event, { decision: 'allow', scope: 'once' }))
    if (isInText(event)) return
    if (isShortcut('deny', event)) return act(() => give(event, { decision: 'deny' }))
    if (isShortcut('allow-rule', event) && !forProcess && offers.length > 0) return act(() => setOpen('rules'))
    if (isShortcut('edit-command', event) && editable) return act(() => setOpen('edit'))
    if (isShortcut('deny-note', event) && !loop) return act(() => setOpen('note'))
  }
  useCardKeys(card, onKey)
  useEmptyComposerKey(card, (event) => give(event, { decision: 'allow', scope: 'once' }))

  return (
    <footer className="approval-foot" aria-busy={busy}>
      {/* An edited command is judged afresh: the word was for the one before. */}
      {question.typedWord !== undefined && open !== 'edit' && (
        <TypedWord word={question.typedWord} button="Allow" typed={typed} disabled={busy} onType={setTyped} />
      )}
      {open === 'edit' && (
        <EditCommand
          command={question.command ?? ''}
          disabled={busy}
          onAllow={(event, command) => give(event, { decision: 'allow-edited', command })}
          onCancel={close}
        />
      )}
      {open === 'note' && (
        <DenyNote disabled={busy} onDeny={(event, note) => give(event, { decision: 'deny', note })} onCancel={close} />
      )}
      {open !== 'edit' && open !== 'note' && (
        <div className="approval-answers">
          <div className="approval-actions">
            <Button
              // After a trial, taking its changes over is the first thing to do.
              kind={question.trial?.status === 'done' ? 'plain' : 'primary'}
              shortcut="allow"
              disabled={busy || !unlocked}
              onClick={(event) => give(event, { decision: 'allow', scope: 'once' })}
            >
              {loop ? 'Continue' : 'Allow once'}
            </Button>
            {wider && (
              <Button
                className="approval-for-session"
                shortcut="allow-session"
                aria-describedby={scopeId}
                disabled={busy}
                onClick={(event) => give(event, wider)}
              >
                {forSession ? 'Allow for this session' : 'Allow until it exits'}
              </Button>
            )}
            {!forProcess && offers.length > 0 && (
              <Button
                shortcut="allow-rule"
                aria-expanded={open === 'rules'}
                disabled={busy}
                onClick={() => setOpen(open === 'rules' ? null : 'rules')}
              >
                Always
                <ChevronDown size={14} aria-hidden />
              </Button>
            )}
          </div>
          <div className="approval-actions">
            <Button
              kind="danger"
              shortcut="deny"
              disabled={busy}
              onClick={(event) => give(event, { decision: 'deny' })}
            >
              {loop ? 'Stop' : 'Deny'}
            </Button>
            {!loop && (
              <Button kind="quiet" shortcut="deny-note" disabled={busy} onClick={() => setOpen('note')}>
                Deny with a note
              </Button>
            )}
            <span className="approval-spacer" />
            {editable && (
              <Button kind="quiet" shortcut="edit-command" disabled={busy} onClick={() => setOpen('edit')}>
                Edit
              </Button>
            )}
          </div>
        </div>
      )}
      {widerOffer && open === null && <WiderScope id={scopeId} offer={widerOffer} />}
      {open === 'rules' && (
        <RuleOffers
          offers={offers}
          disabled={busy}
          onChoose={(event, offer, days) =>
            give(event, { decision: 'allow', scope: 'rule', offer, ...(days > 0 && { days }) })
          }
        />
      )}
      {error && (
        <p className="approval-error" role="alert">
          Your answer was not accepted: {error}
        </p>
      )}
    </footer>
  )
}
