import { type RefObject, Suspense, useState } from 'react'
import type { Question } from '../../src-preload/contract/approval'
import { lazily } from '../layout/lazily'
import { workModes } from '../state/modes'
import { isShortcut } from '../state/shortcuts'
import { useDeckhand } from '../state/store'
import { Button, Scroll } from '../ui'
import { Select } from '../ui/Select'
import { NotAccepted } from './NotAccepted'
import { NoteLine } from './NoteLine'
import { useAnswer } from './use-answer'
import { isInText, useCardKeys, useEmptyComposerKey } from './use-card-keys'
import { type UserEvent, useGuard } from './use-guard'
import './plan.css'

const Markdown = lazily(async () => (await import('../chat/Markdown')).Markdown)

interface PlanCardProps {
  card: RefObject<HTMLElement | null>
  question: Question
  onAnswered: () => void
}

/**
 * A plan that waits for approval: it can be read, edited, approved with a mode for the work, sent back with a note, or
 * rejected.
 */
export function PlanCard({ card, question, onAnswered }: PlanCardProps) {
  const { busy, error, answer } = useAnswer(question, onAnswered)
  const meant = useGuard()
  const submitted = question.plan ?? ''
  const [plan, setPlan] = useState(submitted)
  const [open, setOpen] = useState<'edit' | 'note' | null>(null)
  const usual = useDeckhand((state) => workModes.find(({ value }) => value === state.settings?.defaultMode)?.value)
  const [mode, setMode] = useState(usual ?? 'safe')
  const usable = !busy && plan.trim() !== ''

  const approve = (event: UserEvent) => {
    if (usable && meant(event)) answer({ decision: 'approve-plan', plan, mode })
  }
  const send = (event: UserEvent, note: string) => {
    if (meant(event)) answer({ decision: 'deny', note: note || undefined })
  }
  const close = () => {
    setOpen(null)
    card.current?.focus()
  }
  useCardKeys(card, (event) => {
    const act = (run: () => void) => {
      event.preventDefault()
      event.stopPropagation()
      run()
    }
    if (event.key === 'Escape' && open) return act(close)
    if (open === 'note') return
    if (isShortcut('allow', event)) return act(() => approve(event))
    if (isInText(event)) return
    if (isShortcut('deny', event)) return act(() => send(event, ''))
    if (isShortcut('edit-command', event)) return act(() => setOpen('edit'))
    if (isShortcut('deny-note', event)) return act(() => setOpen('note'))
  })
  useEmptyComposerKey(card, approve)

  return (
    <>
      <PlanText id={question.id} plan={plan} editing={open === 'edit'} onChange={setPlan} />
      <footer className="approval-foot" aria-busy={busy}>
        {open === 'note' ? (
          <NoteLine
            label="What should change"
            button="Send"
            kind="primary"
            disabled={busy}
            onSend={send}
            onCancel={close}
          />
        ) : (
          <div className="approval-answers">
            <div className="ui-row approval-actions">
              <Button kind="primary" shortcut="allow" disabled={!usable} onClick={(event) => approve(event)}>
                Approve plan
              </Button>
              <span className="approval-plan-mode" data-danger={mode === 'all' || undefined}>
                <span aria-hidden>then</span>
                <Select label="Approval while it works" value={mode} options={workModes} onChange={setMode} />
              </span>
            </div>
            <div className="ui-row approval-actions">
              <Button kind="quiet" shortcut="deny-note" disabled={busy} onClick={() => setOpen('note')}>
                Ask for changes
              </Button>
              <Button kind="danger" shortcut="deny" disabled={busy} onClick={(event) => send(event, '')}>
                Reject
              </Button>
              <span className="approval-spacer" />
              <Button
                kind="quiet"
                shortcut="edit-command"
                disabled={busy}
                onClick={() => (open === 'edit' ? close() : setOpen('edit'))}
              >
                {open === 'edit' ? 'Preview' : 'Edit'}
              </Button>
            </div>
          </div>
        )}
        {plan !== submitted && open !== 'note' && (
          <p className="ui-quiet approval-hint">You edited the plan. The agent is told so.</p>
        )}
        <NotAccepted error={error} />
      </footer>
    </>
  )
}

interface PlanTextProps {
  id: string
  plan: string
  editing: boolean
  onChange: (plan: string) => void
}

/** The plan, to read or to edit. */
function PlanText({ id, plan, editing, onChange }: PlanTextProps) {
  if (editing)
    return (
      <textarea
        className="approval-plan-edit"
        aria-label="The plan"
        value={plan}
        // biome-ignore lint/a11y/noAutofocus: the user has just asked to edit it
        autoFocus
        maxLength={100_000}
        onChange={(event) => onChange(event.target.value)}
      />
    )
  return (
    <Scroll className="approval-plan" label="The plan">
      <Suspense fallback={plan}>
        <Markdown id={`plan-${id}`} text={plan} streaming={false} />
      </Suspense>
    </Scroll>
  )
}
