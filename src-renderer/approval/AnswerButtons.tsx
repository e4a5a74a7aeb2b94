import { ChevronDown } from 'lucide-react'
import type { Answer } from '../../src-preload/contract/approval'
import { Button } from '../ui'
import type { Answers } from './answers-for'
import type { UserEvent } from './use-guard'

/** What is open below the buttons or in their place. */
export type OpenPart = 'rules' | 'edit' | 'note' | null

interface AnswerButtonsProps {
  answers: Answers
  /** Whether *Allow once* is the primary button. */
  allowIsFirst: boolean
  /** A word has to be typed first. */
  locked: boolean
  busy: boolean
  open: OpenPart
  /** The element that says what the wider answer covers. */
  scopeId: string
  onAnswer: (event: UserEvent, answer: Answer) => void
  onOpen: (part: OpenPart) => void
}

/** The two rows of buttons: those that let a call run, and those that do not. */
export function AnswerButtons(props: AnswerButtonsProps) {
  const { answers, allowIsFirst, locked, busy, open, scopeId, onAnswer, onOpen } = props
  const { loop, editable, wider, rules } = answers
  return (
    <div className="approval-answers">
      <div className="ui-row approval-actions">
        <Button
          kind={allowIsFirst ? 'primary' : 'plain'}
          shortcut="allow"
          disabled={busy || locked}
          onClick={(event) => onAnswer(event, { decision: 'allow', scope: 'once' })}
        >
          {loop ? 'Continue' : 'Allow once'}
        </Button>
        {wider && (
          <Button
            className="approval-for-session"
            shortcut="allow-session"
            aria-describedby={scopeId}
            disabled={busy}
            onClick={(event) => onAnswer(event, wider.answer)}
          >
            {wider.label}
          </Button>
        )}
        {rules.length > 0 && (
          <Button
            shortcut="allow-rule"
            aria-expanded={open === 'rules'}
            disabled={busy}
            onClick={() => onOpen(open === 'rules' ? null : 'rules')}
          >
            Always
            <ChevronDown size={14} aria-hidden />
          </Button>
        )}
      </div>
      <div className="ui-row approval-actions">
        <Button
          kind="danger"
          shortcut="deny"
          disabled={busy}
          onClick={(event) => onAnswer(event, { decision: 'deny' })}
        >
          {loop ? 'Stop' : 'Deny'}
        </Button>
        {!loop && (
          <Button kind="quiet" shortcut="deny-note" disabled={busy} onClick={() => onOpen('note')}>
            Deny with a note
          </Button>
        )}
        <span className="approval-spacer" />
        {editable && (
          <Button kind="quiet" shortcut="edit-command" disabled={busy} onClick={() => onOpen('edit')}>
            Edit
          </Button>
        )}
      </div>
    </div>
  )
}
