import './waiting-program.css'
import { KeyRound, MessageCircleQuestion, SquareTerminal } from 'lucide-react'
import type { ProcessInfo } from '../../src-preload/contract/processes'
import { focusProcess } from '../state/navigate'
import { Button } from '../ui'

/** A program that waits for a password or an answer. It can only be answered in its terminal. */
export function WaitingProgram({ process }: { process: ProcessInfo }) {
  const { secretInput, prompt } = process
  const Icon = secretInput ? KeyRound : MessageCircleQuestion
  return (
    <article className="waiting-program" aria-label={`${headline(process)}: ${process.title}`}>
      <header className="ui-row waiting-program-head">
        <Icon size={16} aria-hidden />
        <h3>{headline(process)}</h3>
        <Button icon={<SquareTerminal size={14} aria-hidden />} onClick={() => focusProcess(process.id)}>
          Show terminal
        </Button>
      </header>
      <code className="waiting-program-command">{process.title || process.command}</code>
      {prompt && <p className="waiting-program-prompt">{prompt.text}</p>}
      {secretInput && (
        <p className="waiting-program-note">What you type there is not recorded, and the agent cannot type.</p>
      )}
    </article>
  )
}

function headline({ secretInput, prompt }: ProcessInfo): string {
  if (secretInput) return 'A program needs hidden input, such as a password'
  return prompt?.guess ? 'A program seems to be waiting for an answer' : 'A program is waiting for an answer'
}
