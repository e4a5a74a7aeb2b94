import { ChevronRight } from 'lucide-react'
import type { ReactNode } from 'react'
import type { ProcessInfo } from '../../src-preload/contract/processes'
import { Tooltip, useNow } from '../ui'
import { dragSource } from './drag'
import { PortChips } from './PortChips'
import { age, describe, isLiveStatus, shortPath } from './words'

interface PaneHeaderProps {
  process: ProcessInfo
  open: boolean
  /** Absent if the pane cannot be folded. */
  onToggle?: (() => void) | undefined
  onMaximise: () => void
  children: ReactNode
}

/** The header of a pane: the command, its state and its age. */
export function PaneHeader({ process, open, onToggle, onMaximise, children }: PaneHeaderProps) {
  const state = describe(process)
  const name = process.title || process.command
  const title = (
    <>
      <span className="terminal-dot" data-tone={state.tone} aria-hidden />
      <span className="ui-cut terminal-command">{name}</span>
      <span className="sr-only">, {state.label}</span>
    </>
  )
  const tip = (
    <span className="ui-column terminal-tip">
      <code>{process.command}</code>
      <span>{state.detail}</span>
    </span>
  )
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: a shortcut for the pointer; the button in it does the same
    <header className="terminal-head" onDoubleClick={onMaximise} {...dragSource(process.id)}>
      <div className="ui-row terminal-title-row">
        <Tooltip text={tip} side="bottom">
          {onToggle ? (
            <button type="button" className="ui-row terminal-title" aria-expanded={open} onClick={onToggle}>
              <ChevronRight className="ui-chevron" size={13} aria-hidden />
              {title}
            </button>
          ) : (
            <span className="ui-row terminal-title">{title}</span>
          )}
        </Tooltip>
        <span className="ui-cut ui-quiet terminal-state" data-tone={state.tone} title={state.detail}>
          {state.label}
        </span>
        <PortChips process={process} />
        <Age process={process} />
      </div>
      {open && (
        <div className="ui-quiet terminal-where">
          <span className="terminal-cwd" title={process.cwd}>
            {shortPath(process.cwd)}
          </span>
          <span>{process.byUser ? 'you' : 'agent'}</span>
          {process.background && <span>background</span>}
          {process.node !== 'local' && <span>on {process.node}</span>}
        </div>
      )}
      {children}
    </header>
  )
}

/** How long a process has run, kept current; the exact times on hover. */
function Age({ process }: { process: ProcessInfo }) {
  const young = Date.now() - process.startedAt < 60_000
  const now = useNow(isLiveStatus(process.status) ? (young ? 1000 : 15_000) : null)
  const started = new Date(process.startedAt).toLocaleString()
  const ended = process.endedAt === null ? '' : `, ended ${new Date(process.endedAt).toLocaleString()}`
  return (
    <time
      className="ui-quiet terminal-age"
      dateTime={new Date(process.startedAt).toISOString()}
      title={`Started ${started}${ended}`}
    >
      {age(process, now)}
    </time>
  )
}
