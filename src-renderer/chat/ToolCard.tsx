import {
  Ban,
  Bot,
  Check,
  ChevronRight,
  CircleAlert,
  CircleSlash,
  ClipboardList,
  FilePen,
  FileText,
  Globe,
  Hand,
  Image,
  ListTodo,
  LoaderCircle,
  MessageCircleQuestion,
  Search,
  SquareTerminal,
  Wrench,
} from 'lucide-react'
import { memo } from 'react'
import type { ToolCall } from '../../src-preload/contract/tool-calls'
import { AllowAll } from '../approval/AllowAll'
import { ApprovalCard } from '../approval/ApprovalCard'
import { ReceiptLine } from '../receipts/ReceiptLine'
import { duration, visible } from '../state/format'
import { useDeckhand } from '../state/store'
import { useNow } from '../ui'
import { CallRunLine } from './CallRunLine'
import { ToolBody } from './ToolBody'
import { sizeWords, stateWords } from './tool-words'
import { useExpanded } from './use-expanded'
import { useFold } from './use-fold'
import './tool.css'

interface ToolCardProps {
  sessionId: string
  callId: string
}

/** One call of a tool, or the line that it and its neighbors are folded into. */
export const ToolCard = memo(function ToolCard({ sessionId, callId }: ToolCardProps) {
  const { run, first, hidden } = useFold(sessionId, callId)
  return (
    <>
      {run && first && <CallRunLine run={run} />}
      {!hidden && <Card callId={callId} inRun={run !== null} />}
    </>
  )
})

/** A line that can be expanded, or the approval card while the call waits for an answer. */
function Card({ callId, inRun }: { callId: string; inRun: boolean }) {
  const call = useDeckhand((state) => state.calls[callId])
  if (!call) return null
  if (call.state.status === 'awaiting')
    return (
      <div className="chat-call">
        <ApprovalCard call={call} question={call.state.question} />
        <AllowAll call={call} beside="last" />
      </div>
    )
  return <ToolLine call={call} inRun={inRun} />
}

function ToolLine({ call, inRun }: { call: ToolCall; inRun: boolean }) {
  const { status } = call.state
  const display = 'display' in call.state ? call.state.display : undefined
  const failed = status === 'failed' || exitCode(call) !== 0
  const [open, toggle] = useExpanded(
    call.id,
    (failed && inRun) ||
      display?.type === 'todo' ||
      display?.type === 'image' ||
      display?.type === 'plan' ||
      (display?.type === 'process' && (display.blocked ?? display.planted) !== undefined) ||
      (display?.type === 'subagent' && status === 'running'),
  )
  const bodyId = `call-${call.id}`
  return (
    <div
      className="chat-tool"
      data-in-run={inRun || undefined}
      data-status={failed && status === 'done' ? 'failed' : status}
    >
      <button type="button" className="chat-tool-line" aria-expanded={open} aria-controls={bodyId} onClick={toggle}>
        <ChevronRight className="chat-tool-chevron" size={14} aria-hidden />
        <ToolIcon call={call} />
        <span className="chat-tool-name">{call.name}</span>
        <span className="ui-cut chat-tool-gist">{visible(call.gist)}</span>
        {call.state.status === 'running' && call.state.progress && (
          <span className="ui-cut chat-tool-progress">{call.state.progress}</span>
        )}
        <span className="ui-quiet chat-tool-meta chat-tool-outcome">
          {status === 'denied' && 'denied'}
          {status === 'aborted' && 'stopped'}
          {status === 'failed' && 'failed'}
          {display?.type === 'process' && display.blocked && 'blocked, '}
          {status === 'done' && exitCode(call) !== 0 && `exit ${exitCode(call)}`}
        </span>
        <span className="ui-quiet chat-tool-meta">{sizeWords(call)}</span>
        <span className="ui-quiet chat-tool-meta chat-tool-time">
          <Elapsed call={call} />
        </span>
        <StatusIcon status={failed && status === 'done' ? 'failed' : status} />
        <span className="sr-only">{stateWords(call)}</span>
      </button>
      <div id={bodyId} hidden={!open}>
        {open && <ToolBody call={call} />}
      </div>
      <ReceiptLine callId={call.id} />
    </div>
  )
}

const exitCode = (call: ToolCall) => {
  const display = call.state.status === 'done' ? call.state.display : undefined
  return display?.type === 'process' ? (display.exitCode ?? 0) : 0
}

function ToolIcon({ call }: { call: ToolCall }) {
  const display = 'display' in call.state ? call.state.display : undefined
  const Icon =
    (display && displayIcons[display.type]) ?? nameIcons.find(([name]) => name.test(call.name))?.[1] ?? Wrench
  return <Icon className="chat-tool-icon" size={14} aria-hidden />
}

const displayIcons = {
  process: SquareTerminal,
  file: FileText,
  diff: FilePen,
  matches: Search,
  todo: ListTodo,
  image: Image,
  answer: MessageCircleQuestion,
  subagent: Bot,
  plan: ClipboardList,
  text: undefined,
}

/** Chosen by the tool's name until there is a result. */
const nameIcons: readonly [RegExp, typeof Wrench][] = [
  [/bash|shell|exec|process|terminal/i, SquareTerminal],
  [/write|edit|patch|delete/i, FilePen],
  [/read|file/i, FileText],
  [/grep|glob|list|search|find/i, Search],
  [/todo/i, ListTodo],
  [/ask/i, MessageCircleQuestion],
  [/web|fetch|http/i, Globe],
]

const statusIcons = {
  pending: LoaderCircle,
  awaiting: Hand,
  running: LoaderCircle,
  done: Check,
  failed: CircleAlert,
  denied: Ban,
  aborted: CircleSlash,
}

function StatusIcon({ status }: { status: ToolCall['state']['status'] }) {
  const Icon = statusIcons[status]
  return <Icon className={`chat-tool-state chat-tool-state-${status}`} size={14} aria-hidden />
}

/** How long it took or has taken so far: counted here once a second, since main sends no events for that. */
function Elapsed({ call }: { call: ToolCall }) {
  const running = call.startedAt !== null && call.endedAt === null && call.state.status === 'running'
  const now = useNow(running ? 1000 : null)
  if (call.startedAt === null) return null
  if (running) return duration(Math.max(0, Math.floor((now - call.startedAt) / 1000)) * 1000)
  return call.endedAt === null ? null : duration(call.endedAt - call.startedAt)
}
