import './approval.css'
import { Inbox as InboxIcon } from 'lucide-react'
import { useShallow } from 'zustand/react/shallow'
import { focusQuestion } from '../state/actions'
import type { OpenQuestion } from '../state/engine'
import { useDeckhand } from '../state/store'
import { Badge, Button, Empty } from '../ui'
import { ApprovalCard } from './ApprovalCard'
import { groupBySession } from './inbox-groups'

/** Everything that waits for an answer, in every session, the longest waiting first. */
export function Inbox() {
  const open = useDeckhand(useShallow((state) => Object.values(state.questions)))
  const groups = groupBySession(open)
  return (
    <section className="approval-page" aria-label="Inbox">
      <div className="approval-column">
        <header className="approval-page-head">
          <h1>Inbox</h1>
          {open.length > 0 && (
            <Badge tone="wait" label={`${open.length} waiting`}>
              {open.length}
            </Badge>
          )}
        </header>
        {groups.length === 0 && (
          <Empty icon={<InboxIcon size={28} />} title="Nothing waits for you">
            When an agent wants to do something that no rule allows, it asks here and in its session, and goes on once
            you have answered. Questions stay until then, even if you quit.
          </Empty>
        )}
        {groups.map((group) => (
          <Group key={group.sessionId} sessionId={group.sessionId} open={group.open} />
        ))}
      </div>
    </section>
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
            Open the session
          </Button>
        )}
      </header>
      {open.map(({ question, call }) => (
        <ApprovalCard key={question.id} question={question} call={call} compact />
      ))}
    </section>
  )
}
