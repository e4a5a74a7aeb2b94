import './approval.css'
import { Inbox as InboxIcon } from 'lucide-react'
import { Fragment } from 'react'
import { useShallow } from 'zustand/react/shallow'
import type { ProcessInfo } from '../../src-preload/contract/processes'
import { Page } from '../page/Page'
import { count } from '../state/format'
import type { OpenQuestion } from '../state/main-state'
import { focusQuestion } from '../state/navigate'
import { waitingProcesses } from '../state/sessions'
import { useDeckhand } from '../state/store'
import { Button, Empty } from '../ui'
import { AllowAll } from './AllowAll'
import { ApprovalCard } from './ApprovalCard'
import { groupBySession } from './inbox-groups'
import { WaitingProgram } from './WaitingProgram'

const hint = 'Everything waiting for your answer, across all sessions.'

/** Everything that waits for an answer, in every session, the longest waiting first. */
export function Inbox() {
  const open = useDeckhand(useShallow((state) => Object.values(state.questions)))
  const processes = useDeckhand(useShallow(waitingProcesses))
  const groups = groupBySession(open, processes)
  return (
    <Page
      title="Inbox"
      hint={groups.length > 0 ? `${summary(open.length, processes.length)} across all sessions.` : hint}
    >
      {groups.length === 0 && (
        <Empty icon={<InboxIcon size={28} />} title="Nothing is waiting for you">
          When an agent needs permission, it asks here and in its session, and continues once you answer. Questions stay
          open even if you quit. Programs that need your input are listed here, too.
        </Empty>
      )}
      {groups.map((group) => (
        <Group key={group.sessionId} {...group} />
      ))}
    </Page>
  )
}

function summary(questions: number, programs: number): string {
  const parts = [
    ...(questions > 0 ? [count(questions, 'question')] : []),
    ...(programs > 0 ? [`${count(programs, 'program')} waiting for input`] : []),
  ]
  return parts.join(' and ')
}

interface GroupProps {
  sessionId: string
  open: OpenQuestion[]
  processes: ProcessInfo[]
}

function Group({ sessionId, open, processes }: GroupProps) {
  const title = useDeckhand((state) => state.sessions[sessionId]?.title || 'New session')
  const first = open[0]
  return (
    <section className="ui-column approval-group" aria-label={title}>
      <header className="ui-row approval-group-head">
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
      {processes.map((process) => (
        <WaitingProgram key={process.id} process={process} />
      ))}
    </section>
  )
}
