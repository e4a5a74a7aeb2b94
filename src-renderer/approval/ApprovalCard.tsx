import './approval.css'
import { ClipboardList, MessageCircleQuestion, OctagonAlert, Repeat, ShieldQuestion } from 'lucide-react'
import { useEffect, useId, useRef, useState } from 'react'
import type { Question } from '../../src-preload/contract/approval'
import type { ToolCall } from '../../src-preload/contract/tool-calls'
import { focusComposer } from '../state/navigate'
import { useDeckhand } from '../state/store'
import { When } from '../ui'
import { AnswerBar } from './AnswerBar'
import { AskForm } from './AskForm'
import { AskUser } from './AskUser'
import { KeepCopy } from './KeepCopy'
import { PlanCard } from './PlanCard'
import { QuestionBody } from './QuestionBody'
import { isDangerous } from './question'
import { Sentence } from './Sentence'
import { Trial } from './Trial'

interface ApprovalCardProps {
  call: ToolCall
  question: Question
  /** In a list of many: long parts start folded. */
  compact?: boolean
}

/**
 * The most prominent element of the window. It shows everything that would happen, can be answered without the mouse,
 * and never by accident: see `useGuard`.
 */
export function ApprovalCard({ call, question, compact = false }: ApprovalCardProps) {
  const card = useRef<HTMLElement>(null)
  const titleId = useId()
  const aimedAt = useDeckhand((state) => (state.aimedQuestion?.id === question.id ? state.aimedQuestion.at : 0))

  useEffect(() => {
    if (aimedAt === 0) return
    card.current?.focus({ preventScroll: true })
    card.current?.scrollIntoView({ block: 'nearest' })
  }, [aimedAt])

  const [keepsCopy, setKeepsCopy] = useState(false)
  const hadFocus = useRef(false)
  const onAnswered = () => {
    // By now the card may be gone and the user may be working elsewhere.
    const { activeElement } = document
    const unclaimed = activeElement === document.body || card.current?.contains(activeElement)
    if (hadFocus.current && unclaimed) focusNext(card.current, compact)
  }
  const danger = isDangerous(question)
  const Icon = danger ? OctagonAlert : ICONS[question.kind]
  // In a list the card is below the heading of its session.
  const Heading = compact ? 'h3' : 'h2'
  const props = { card, question, onAnswered }

  return (
    <article
      ref={card}
      className="approval-card"
      data-approval-card={question.id}
      data-of-message={call.messageId}
      data-danger={danger}
      data-compact={compact}
      tabIndex={-1}
      aria-labelledby={titleId}
      onFocus={() => {
        hadFocus.current = true
      }}
      onBlur={(event) => {
        // A button that becomes disabled loses the focus to nothing; that does not mean that the user has left.
        if (event.relatedTarget) hadFocus.current = event.currentTarget.contains(event.relatedTarget)
      }}
    >
      <header className="ui-row approval-head">
        <Icon size={16} aria-hidden />
        <Heading id={titleId}>
          <Sentence text={question.title} />
        </Heading>
        {question.kind !== 'ask-user' && question.kind !== 'plan' && <span className="approval-tool">{call.name}</span>}
        <When time={question.createdAt} />
      </header>
      {question.form ? (
        <AskForm question={question} form={question.form} onAnswered={onAnswered} />
      ) : question.kind === 'ask-user' ? (
        <AskUser {...props} />
      ) : question.kind === 'plan' ? (
        <PlanCard {...props} />
      ) : (
        <>
          <QuestionBody question={question} compact={compact} />
          {question.trial && <Trial {...props} trial={question.trial} />}
          {question.losses?.status === 'known' && (
            <KeepCopy card={card} losses={question.losses} chosen={keepsCopy} onChoose={setKeepsCopy} />
          )}
          <AnswerBar {...props} keepsCopy={keepsCopy} />
        </>
      )}
    </article>
  )
}

const ICONS = {
  command: ShieldQuestion,
  file: ShieldQuestion,
  tool: ShieldQuestion,
  loop: Repeat,
  'ask-user': MessageCircleQuestion,
  plan: ClipboardList,
} as const

/** Moves the focus to the next card in view, or back to the message box; in a list, to the page. */
function focusNext(answered: HTMLElement | null, inList: boolean): void {
  const cards = [...document.querySelectorAll<HTMLElement>('[data-approval-card]')].filter((card) => card !== answered)
  const next = cards.find(
    (card) => answered && answered.compareDocumentPosition(card) & Node.DOCUMENT_POSITION_FOLLOWING,
  )
  const target = next ?? cards[0]
  if (target) target.focus()
  else if (inList) document.getElementById('main')?.focus()
  else focusComposer()
}
