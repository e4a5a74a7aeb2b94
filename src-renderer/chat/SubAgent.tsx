import { MessagesSquare, Square } from 'lucide-react'
import type { SubAgentDisplay } from '../../src-preload/contract/subagents'
import { count, money, tokens, visible } from '../state/format'
import { stopTurn } from '../state/message-actions'
import { selectSession } from '../state/navigate'
import { useDeckhand } from '../state/store'
import { Button, Scroll } from '../ui'
import { Markdown } from './Markdown'

/** A sub-agent on the card of the call that started it: its steps, its cost, and its answer. */
export function SubAgent({ display, running }: { display: SubAgentDisplay; running: boolean }) {
  const { sessionId, steps, total, answer } = display
  const known = useDeckhand((state) => Object.hasOwn(state.sessions, sessionId))
  return (
    <>
      {total > steps.length && <p className="chat-tool-note">{count(total - steps.length, 'earlier step')}</p>}
      {steps.length > 0 && (
        <Scroll className="chat-tool-scroll" label="Steps of the sub-agent">
          <ol className="chat-tool-matches">
            {steps.map((step, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a step has no identity but its place
              <li key={at}>
                <span className="chat-tool-path">{step.name}</span>
                <span>{visible(step.gist)}</span>
                {stepWords[step.status] && <span>{stepWords[step.status]}</span>}
              </li>
            ))}
          </ol>
        </Scroll>
      )}
      {answer && <Markdown id={sessionId} text={answer} streaming={false} />}
      <div className="ui-row chat-tool-actions">
        {known && (
          <Button kind="quiet" icon={<MessagesSquare size={14} />} onClick={() => selectSession(sessionId)}>
            Open
          </Button>
        )}
        {running && known && (
          <Button kind="quiet" icon={<Square size={14} />} onClick={() => stopTurn(sessionId)}>
            Stop
          </Button>
        )}
        <span>
          {tokens(display.tokens)} tokens{(display.cost ?? 0) > 0 && `, ${money(display.cost ?? 0)}`}
        </span>
      </div>
    </>
  )
}

const stepWords: Partial<Record<SubAgentDisplay['steps'][number]['status'], string>> = {
  running: 'running',
  awaiting: 'waiting for you',
  failed: 'failed',
  denied: 'refused',
  aborted: 'stopped',
}
