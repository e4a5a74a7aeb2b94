import { type RefObject, useId, useState } from 'react'
import type { Answer, Question } from '../../src-preload/contract/approval'
import { isShortcut } from '../state/shortcuts'
import { AnswerButtons, type OpenPart } from './AnswerButtons'
import { answersFor } from './answers-for'
import { EditCommand } from './EditCommand'
import { NotAccepted } from './NotAccepted'
import { NoteLine } from './NoteLine'
import { isUnlocked } from './question'
import { RuleOffers } from './RuleOffers'
import { widerWords } from './rule-words'
import { Sentence } from './Sentence'
import { TypedWord } from './TypedWord'
import { useAnswer } from './use-answer'
import { isInText, useCardKeys, useEmptyComposerKey } from './use-card-keys'
import { type UserEvent, useGuard } from './use-guard'

interface AnswerBarProps {
  card: RefObject<HTMLElement | null>
  question: Question
  onAnswered: () => void
  /** A copy of what would be lost is taken first. */
  keepsCopy: boolean
}

const allowOnce: Answer = { decision: 'allow', scope: 'once' }

/** The possible answers to a waiting call, with their keys. */
export function AnswerBar({ card, question, onAnswered, keepsCopy }: AnswerBarProps) {
  const { busy, error, answer } = useAnswer(question, onAnswered)
  const meant = useGuard()
  const [open, setOpen] = useState<OpenPart>(null)
  const [typed, setTyped] = useState('')
  const scopeId = useId()
  const unlocked = isUnlocked(question.typedWord, typed)
  const answers = answersFor(question)
  const { loop, editable, wider, rules } = answers

  const give = (event: UserEvent, what: Answer) => {
    if (!meant(event)) return
    if (what.decision === 'allow' && !unlocked) return
    if (what.decision !== 'allow') return answer(what)
    answer({ ...what, ...(typed !== '' && { typed: typed.trim() }), ...(keepsCopy && { copy: true }) })
  }
  const close = () => {
    setOpen(null)
    card.current?.focus()
  }

  const onKey = (event: KeyboardEvent) => {
    const act = (run: () => void) => {
      event.preventDefault()
      event.stopPropagation()
      run()
    }
    if (event.key === 'Escape' && open) return act(close)
    if (isShortcut('allow-session', event)) return act(() => wider && give(event, wider.answer))
    // While the command is edited or a note is written, the same keys finish that.
    if (open === 'edit' || open === 'note') return
    if (isShortcut('allow', event)) return act(() => give(event, allowOnce))
    if (isInText(event)) return
    if (isShortcut('deny', event)) return act(() => give(event, { decision: 'deny' }))
    if (isShortcut('allow-rule', event) && rules.length > 0) return act(() => setOpen('rules'))
    if (isShortcut('edit-command', event) && editable) return act(() => setOpen('edit'))
    if (isShortcut('deny-note', event) && !loop) return act(() => setOpen('note'))
  }
  useCardKeys(card, onKey)
  useEmptyComposerKey(card, (event) => give(event, allowOnce))

  return (
    <footer className="approval-foot" aria-busy={busy}>
      {/* An edited command is judged again: the word was for the original. */}
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
        <NoteLine
          label="Why not, or what to do instead"
          button="Deny"
          kind="danger"
          disabled={busy}
          onSend={(event, note) => give(event, { decision: 'deny', note })}
          onCancel={close}
        />
      )}
      {open !== 'edit' && open !== 'note' && (
        <AnswerButtons
          answers={answers}
          // After a trial, applying its changes is the primary action.
          allowIsFirst={question.trial?.status !== 'done'}
          locked={!unlocked}
          busy={busy}
          open={open}
          scopeId={scopeId}
          onAnswer={give}
          onOpen={setOpen}
        />
      )}
      {wider && open === null && (
        <p id={scopeId} className="ui-quiet approval-hint">
          <Sentence text={widerWords(wider.offer)} />
        </p>
      )}
      {open === 'rules' && (
        <RuleOffers
          offers={rules}
          disabled={busy}
          onChoose={(event, offer, days) =>
            give(event, { decision: 'allow', scope: 'rule', offer, ...(days > 0 && { days }) })
          }
        />
      )}
      <NotAccepted error={error} />
    </footer>
  )
}
