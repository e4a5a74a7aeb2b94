import { SquareTerminal } from 'lucide-react'
import { useState } from 'react'
import type { Content } from '../../src-preload/contract/content'
import type { Display, ToolCall } from '../../src-preload/contract/tool-calls'
import { Sentence } from '../approval/Sentence'
import { call as ask } from '../state/bridge'
import { visible } from '../state/format'
import { focusProcess, showRule } from '../state/navigate'
import { useDeckhand } from '../state/store'
import { toast } from '../state/toasts'
import { Button, Scroll } from '../ui'
import { BlockedNote, PlantedNote } from './BlockedNote'
import { CodeText } from './CodeText'
import { Diff } from './Diff'
import { languageOfPath } from './highlight'
import { Markdown } from './Markdown'
import { PathLink } from './PathLink'
import { Picture } from './Picture'
import { SubAgent } from './SubAgent'
import { TodoList } from './TodoList'
import { grantWords, repeatsFailure } from './tool-words'

/** The expanded part of a tool card: the result in a suitable form, and why the call was allowed. */
export function ToolBody({ call }: { call: ToolCall }) {
  const { state } = call
  const display = 'display' in state ? state.display : undefined
  return (
    <div className="ui-column chat-tool-body">
      {state.status === 'failed' && <p className="chat-tool-failure">{state.error.message}</p>}
      {(state.status === 'denied' || state.status === 'aborted') && <p className="chat-tool-note">{state.message}</p>}
      {display ? (
        <Shown call={call} display={display} />
      ) : (
        'content' in state && !repeatsFailure(state) && <PlainResult call={call} content={state.content} />
      )}
      {call.grant && (
        <p className="chat-tool-grant">
          <Sentence text={grantWords(call.grant)} />
          {call.grant.by === 'rule' && <RuleLink ruleId={call.grant.ruleId} />}
        </p>
      )}
    </div>
  )
}

/** Nothing if the rule was revoked. */
function RuleLink({ ruleId }: { ruleId: string }) {
  const known = useDeckhand((state) => state.rules.some(({ id }) => id === ruleId))
  if (!known) return null
  return (
    <Button kind="quiet" onClick={() => showRule(ruleId)}>
      Show rule
    </Button>
  )
}

function Shown({ call, display }: { call: ToolCall; display: Display }) {
  switch (display.type) {
    case 'process':
      return <ProcessTail callId={call.id} display={display} />
    case 'file':
      return <FileText display={display} />
    case 'diff':
      return <Diff files={display.files} />
    case 'matches':
      return <Matches display={display} />
    case 'todo':
      return <TodoList items={display.items} />
    case 'image':
      return <Picture src={`data:${display.mimeType};base64,${display.data}`} name={visible(display.path)} />
    case 'answer':
      return (
        <p className="chat-tool-answer">
          <span>{display.question}</span> <strong>{display.answer}</strong>
        </p>
      )
    case 'plan':
      return <Plan id={call.id} display={display} />
    case 'subagent':
      return <SubAgent display={display} running={call.state.status === 'running'} />
    case 'text':
      return <Scroller label="Result" text={display.text} />
  }
}

const verdictWords = {
  approved: 'You approved this plan.',
  changes: 'You asked for changes.',
  rejected: 'You rejected this plan.',
}

function Plan({ id, display: { plan, verdict } }: { id: string; display: Extract<Display, { type: 'plan' }> }) {
  return (
    <>
      <p className="chat-tool-note">{verdictWords[verdict]}</p>
      <Scroll className="chat-tool-plan" label="Plan">
        <Markdown id={`plan-${id}`} text={plan} streaming={false} />
      </Scroll>
    </>
  )
}

const cageWords = {
  read: 'Nobody was asked, so it ran where it could change nothing: read-only, without network and secrets',
  write: 'Nobody was asked, so it ran where it could change only the workspace, without network and secrets',
}

function ProcessTail({ callId, display }: { callId: string; display: Extract<Display, { type: 'process' }> }) {
  const known = useDeckhand((state) => Object.hasOwn(state.processes, display.processId))
  return (
    <>
      <pre className="chat-tool-command">{visible(display.command)}</pre>
      {display.tail && <Scroller label="Last lines" text={display.tail} />}
      {display.planted && <PlantedNote paths={display.planted} />}
      {display.blocked && <BlockedNote callId={callId} blocked={display.blocked} caged={display.caged !== undefined} />}
      <div className="ui-row chat-tool-actions">
        {known && (
          <Button kind="quiet" icon={<SquareTerminal size={14} />} onClick={() => focusProcess(display.processId)}>
            Open terminal
          </Button>
        )}
        {typeof display.exitCode === 'number' && <span>Exit code {display.exitCode}</span>}
        {display.caged && <span title={cageWords[display.caged]}>Ran in the cage</span>}
      </div>
    </>
  )
}

function FileText({ display }: { display: Extract<Display, { type: 'file' }> }) {
  const lines = display.text.split('\n')
  const last = display.startLine + Math.max(display.lines, 1) - 1
  return (
    <>
      <p className="chat-tool-note">
        <PathLink className="chat-tool-path" place={{ path: display.path, line: display.startLine }}>
          {visible(display.path)}
        </PathLink>
        , lines {display.startLine} to {last}
        {display.truncated && ' (shortened)'}
      </p>
      <Scroll className="chat-tool-scroll chat-tool-file" label="File">
        <pre aria-hidden>{lines.map((_, at) => display.startLine + at).join('\n')}</pre>
        <pre>
          <CodeText code={display.text} language={languageOfPath(display.path)} />
        </pre>
      </Scroll>
    </>
  )
}

function Matches({ display }: { display: Extract<Display, { type: 'matches' }> }) {
  const hidden = display.total - display.rows.length
  return (
    <Scroll className="chat-tool-scroll" label="Matches">
      <ul className="chat-tool-matches">
        {display.rows.map((row) => (
          <li key={`${row.path}:${row.line ?? ''}:${row.text ?? ''}`}>
            <PathLink className="chat-tool-path" place={{ path: row.path, line: row.line }}>
              {visible(row.path)}
              {row.line !== undefined && `:${row.line}`}
            </PathLink>
            {row.text && <span>{row.text}</span>}
          </li>
        ))}
      </ul>
      {hidden > 0 && <p className="chat-tool-note">and {hidden} more</p>}
    </Scroll>
  )
}

/** A result without a form of its own: its text, shortened, with all of it on request. */
function PlainResult({ call, content }: { call: ToolCall; content: Content[] }) {
  const [whole, setWhole] = useState<string | null>(null)
  const text = content
    .map((part) => (part.type === 'text' ? part.text : ''))
    .join('\n')
    .trim()
  const short = text.length > 4000
  const readWhole = () =>
    ask('call.output', { callId: call.id }).then(setWhole, (error: Error) =>
      toast({ kind: 'error', text: error.message }),
    )
  return (
    <>
      {text && <Scroller label="Result" text={whole ?? (short ? `${text.slice(0, 4000)}…` : text)} />}
      {content.map(
        (part) =>
          part.type === 'image' && (
            <Picture key={part.data.slice(0, 64)} src={`data:${part.mimeType};base64,${part.data}`} name="Result" />
          ),
      )}
      {short && whole === null && (
        <Button kind="quiet" onClick={readWhole}>
          Show all
        </Button>
      )}
    </>
  )
}

function Scroller({ label, text }: { label: string; text: string }) {
  return (
    <Scroll className="chat-tool-scroll" label={label}>
      {text}
    </Scroll>
  )
}
