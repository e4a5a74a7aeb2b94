import { type KeyboardEvent, useEffect, useRef } from 'react'
import type { ProcessInfo } from '../../src-preload/contract/processes'
import { dragSource, dropTarget } from './drag'
import { neighbour } from './order'
import { describe } from './words'

interface PaneTabsProps {
  processes: ProcessInfo[]
  active: string
  onSelect: (id: string) => void
  onMove: (moved: string, target: string) => void
}

/** One tab for each process; the arrow keys move along them. */
export function PaneTabs({ processes, active, onSelect, onMove }: PaneTabsProps) {
  const list = useRef<HTMLDivElement>(null)
  const ids = processes.map((process) => process.id)

  useEffect(() => {
    list.current?.querySelector(`[data-tab="${CSS.escape(active)}"]`)?.scrollIntoView({ block: 'nearest' })
  }, [active])

  const onKeyDown = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0
    const next = step === 0 ? undefined : neighbour(ids, active, step)
    if (!next) return
    event.preventDefault()
    onSelect(next)
    list.current?.querySelector<HTMLElement>(`[data-tab="${CSS.escape(next)}"]`)?.focus()
  }

  return (
    <div ref={list} className="terminal-tabs" role="tablist" aria-label="Processes" onKeyDown={onKeyDown}>
      {processes.map((process) => {
        const state = describe(process)
        const name = process.title || process.command
        return (
          <button
            key={process.id}
            type="button"
            role="tab"
            className="ui-row terminal-tab"
            data-tab={process.id}
            aria-selected={process.id === active}
            tabIndex={process.id === active ? 0 : -1}
            title={`${process.command}\n${state.detail}`}
            onClick={() => onSelect(process.id)}
            {...dragSource(process.id)}
            {...dropTarget(process.id, onMove)}
          >
            <span className="terminal-dot" data-tone={state.tone} aria-hidden />
            <span className="ui-cut terminal-command">{name}</span>
            <span className="sr-only">, {state.label}</span>
          </button>
        )
      })}
    </div>
  )
}
