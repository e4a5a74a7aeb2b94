import { EyeOff } from 'lucide-react'
import type { Question, SubCommand } from '../../src-preload/contract/approval'
import { Diff } from '../chat/Diff'
import { CommandText, Revealed } from './CommandText'
import { Facts } from './Facts'
import { LossList } from './LossList'
import { Origins } from './Origins'
import { deceptionWarning } from './question'
import { SubCommandList } from './SubCommandList'

/** Everything that would happen. */
export function QuestionBody({ question, compact }: { question: Question; compact: boolean }) {
  const warning = deceptionWarning(question)
  const parts = telling(question)
  return (
    <div className="ui-column approval-body">
      {question.command !== undefined && (
        <pre className="approval-command">
          {question.kind === 'command' ? (
            <CommandText command={question.command} />
          ) : (
            <Revealed text={question.command} />
          )}
        </pre>
      )}
      {warning && (
        <p className="ui-row approval-deception">
          <EyeOff size={14} aria-hidden />
          {warning}
        </p>
      )}
      {question.origins && <Origins origins={question.origins} />}
      {parts.length > 0 && <SubCommandList parts={parts} files={question.kind === 'file'} />}
      {question.diff && question.diff.length > 0 && (
        <div className="approval-diff" data-compact={compact}>
          <Diff files={question.diff} />
        </div>
      )}
      {question.losses && <LossList question={question} losses={question.losses} />}
      <Facts question={question} reasonGiven={parts.some(({ reason }) => reason === question.reason)} />
    </div>
  )
}

/** The parts of a command, unless there is only one that repeats the whole command and its reason. */
function telling(question: Question): SubCommand[] {
  const parts = question.subCommands ?? []
  const [only] = parts
  const same = parts.length === 1 && only && !only.danger && only.text.trim() === question.command?.trim()
  return same && only.reason === question.reason ? [] : parts
}
