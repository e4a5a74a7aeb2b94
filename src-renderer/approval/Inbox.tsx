import './approval.css'
import { Inbox as InboxIcon } from 'lucide-react'
import { Fragment } from 'react'
import { useShallow } from 'zustand/react/shallow'
import { Page } from '../page/Page'
import type { OpenQuestion } from '../state/engine'
import { count } from '../state/format'
import { focusQuestion } from '../state/navigate'
import { useDeckhand } from '../state/store'
import { Button, Empty } from '../ui'
import { AllowAll } from './AllowAll'
import { ApprovalCard } from './ApprovalCard'
import { groupBySession } from './inbox-groups'

const hint = 'Everything waiting for your answer, in all sessions.'

/** Everything that waits for an answer, in every session, the longest waiting first. */
export function Inbox() {
  const open = useDeckhand(useShallow((state) => Object.values(state.questions)))
  const groups = groupBySession(open)
  return (
    <Page
      title="Inbox"
      hint={open.length > 0 ? `${count(open.length, 'question')} from all sessions, oldest first.` : hint}
    >
      {groups.length === 0 && (
        <Empty icon={<InboxIcon size={28} />} title="Nothing is waiting for you">
          When an agent needs permission, it asks here and in its session, and continues once you answer. Questions stay
          open even if you quit.
        </Empty>
      )}
      {groups.map((group) => (
        <Group key={group.sessionId} sessionId={group.sessionId} open={group.open} />
      ))}
    </Page>
  )
}

function Group({ sessionId, open }: { sessionId: string; open: OpenQuestion[] }) {
  const title = useDeckhand((state) => state.sessions[sessionId]?.title || 'New session')
  const first = open[0]
  return (
    <section className="approval-group" aria-label={title}>
      <header className="approval-group-head">
        <h2>{title}</h2>
        {first && (
          <Button kind="quiet" onClick={() => focusQuestion(first.question.id)}>
            Open session
          </Button>
        )}
      </header>
      {open.map(({ question, call }) => (
        <Fragment key={question.id}>
          <AllowAll call={call} beside="first" />
          <ApprovalCard question={question} call={call} compact />
        </Fragment>
      ))}
    </section>
  )
}
