import { ListChecks } from 'lucide-react'
import { useRef, useState } from 'react'
import { useShallow } from 'zustand/react/shallow'
import type { Question } from '../../src-preload/contract/approval'
import type { ToolCall } from '../../src-preload/contract/tool-calls'
import { answerQuestion } from '../state/message-actions'
import { focusComposer } from '../state/navigate'
import { isShortcut } from '../state/shortcuts'
import { useDeckhand } from '../state/store'
import { announce } from '../state/toasts'
import { Button } from '../ui'
import { CommandText } from './CommandText'
import { Sentence } from './Sentence'
import { isEmptyComposer, useExclusiveKey } from './use-card-keys'
import { type UserEvent, useGuard } from './use-guard'
import { aloneWords, type Together, waitingTogether } from './waiting-together'
import './allow-all.css'

/**
 * Beside several cards of one message: answers all of them that need no typed word. In a chat, which is read from its
 * end, it is below the last of them; in a list above the first.
 */
export function AllowAll({ call, beside }: { call: ToolCall; beside: 'first' | 'last' }) {
  const open = useDeckhand(
    useShallow((state) => Object.values(state.questions).filter((each) => each.call.messageId === call.messageId)),
  )
  const together = waitingTogether(open, call, beside)
  if (!together) return null
  // A different set of questions has to be seen before it can be answered.
  const ids = together.plain.map(({ id }) => id).join()
  return <Bar key={ids} together={together} messageId={call.messageId} />
}

function Bar({ together, messageId }: { together: Together; messageId: string }) {
  const { plain } = together
  const bar = useRef<HTMLElement>(null)
  const meant = useGuard()
  const taken = useRef(false)
  const [error, setError] = useState('')

  const allowAll = (event: UserEvent) => {
    if (taken.current || !meant(event)) return
    taken.current = true
    const hadFocus = isAnswering(document.activeElement)
    answerAll(plain).then((refused) => {
      taken.current = refused !== null
      announce(`Allowed ${plain.length} calls`)
      if (refused !== null) setError(refused)
      else if (hadFocus) focusWhatIsLeft()
    })
  }
  useExclusiveKey((event) => isShortcut('allow-all', event) && isFor(event.target, messageId, bar.current), allowAll)

  const others = aloneWords(together)
  return (
    <section ref={bar} className="allow-all" aria-label="Calls that wait together" data-allow-all={messageId}>
      <div className="ui-row allow-all-head">
        <ListChecks size={16} aria-hidden />
        <strong>{plain.length + together.alone.length} calls are waiting</strong>
        <span className="approval-spacer" />
        <Button shortcut="allow-all" onClick={allowAll}>
          Allow all {plain.length}
        </Button>
      </div>
      <ol className="allow-all-list">
        {plain.map((question) => (
          <li key={question.id}>
            {question.command !== undefined ? (
              <code>
                <CommandText command={shortened(question.command)} />
              </code>
            ) : (
              <Sentence text={question.title} />
            )}
          </li>
        ))}
      </ol>
      {others !== '' && <p className="ui-quiet approval-hint">{others}</p>}
      {error !== '' && (
        <p className="approval-error" role="alert">
          Not all were accepted: {error}
        </p>
      )}
    </section>
  )
}

/** The card shows the whole command. */
const shortened = (command: string): string => (command.length > 400 ? `${command.slice(0, 399)}…` : command)

/** Why an answer was not accepted, or `null`. */
async function answerAll(questions: readonly Question[]): Promise<string | null> {
  let refused: string | null = null
  for (const { id } of questions) {
    await answerQuestion(id, { decision: 'allow', scope: 'once' }).catch((reason: Error) => {
      refused = reason.message
    })
  }
  return refused
}

const isAnswering = (element: Element | null): boolean =>
  element === document.body || element?.closest('[data-approval-card], [data-allow-all]') != null

/**
 * Whether a key was pressed in one of the cards, in the bar, or in an empty message box while this bar is the first.
 */
function isFor(target: EventTarget | null, messageId: string, bar: HTMLElement | null): boolean {
  if (!(target instanceof Element)) return false
  const card = target.closest<HTMLElement>('[data-approval-card]')
  if (card) return card.dataset.ofMessage === messageId
  return (
    (bar?.contains(target) ?? false) || (isEmptyComposer(target) && document.querySelector('[data-allow-all]') === bar)
  )
}

function focusWhatIsLeft(): void {
  const card = document.querySelector<HTMLElement>('[data-approval-card]')
  if (card) card.focus()
  else focusComposer()
}
