import { ChevronRight } from 'lucide-react'
import { useCallback, useRef, useState } from 'react'
import type { ProcessInfo } from '../../src-preload/contract/processes'
import type { DeckLayout } from './layout'
import { openPanes } from './order'
import { PaneTabs } from './PaneTabs'
import { PaneView } from './PaneView'
import { useAimedPane } from './use-aimed-pane'
import { usePaneOrder } from './use-pane-order'

/** The terminals of a session, laid out as the user chose. */
export function Panes({ processes, layout }: { processes: ProcessInfo[]; layout: DeckLayout }) {
  const [chosen, setChosen] = useState<Record<string, boolean>>({})
  const [heights, setHeights] = useState<Record<string, number | undefined>>({})
  const [maximisedId, setMaximisedId] = useState<string | null>(null)
  const [tab, setTab] = useState<string | null>(null)
  const [showEarlier, setShowEarlier] = useState(false)
  const body = useRef<HTMLDivElement>(null)

  const { shown, earlier, listed, move, onKeys } = usePaneOrder(processes, showEarlier || layout === 'tabs')
  const open = openPanes(listed, chosen)
  const maximised = processes.find((process) => process.id === maximisedId)
  const active = processes.find((process) => process.id === tab) ?? shown[0]

  const toggle = useCallback((id: string, next: boolean) => setChosen((before) => ({ ...before, [id]: next })), [])
  const maximise = useCallback((id: string) => setMaximisedId((before) => (before === id ? null : id)), [])
  const setHeight = useCallback(
    (id: string, height: number | undefined) => setHeights((before) => ({ ...before, [id]: height })),
    [],
  )
  const focus = useAimedPane(processes, body, (id) => {
    if (earlier.some((process) => process.id === id)) setShowEarlier(true)
    setChosen((before) => ({ ...before, [id]: true }))
    setTab(id)
    setMaximisedId((before) => (before && before !== id ? null : before))
  })

  const view = (process: ProcessInfo, more: { open: boolean; stacked: boolean; maximised?: boolean }) => (
    <PaneView
      key={process.id}
      process={process}
      open={more.open}
      stacked={more.stacked}
      maximised={more.maximised ?? false}
      height={heights[process.id]}
      focusAt={focus.id === process.id ? focus.at : 0}
      onToggle={toggle}
      onMaximise={maximise}
      onHeight={setHeight}
      onMove={move}
    />
  )

  if (maximised)
    return (
      <div ref={body} className="terminal-panes">
        {view(maximised, { open: true, stacked: false, maximised: true })}
      </div>
    )
  if (layout === 'tabs')
    return (
      <div ref={body} className="terminal-panes" onKeyDownCapture={onKeys}>
        <PaneTabs processes={listed} active={active?.id ?? ''} onSelect={setTab} onMove={move} />
        {active && view(active, { open: true, stacked: false })}
      </div>
    )
  return (
    <div
      ref={body}
      className={layout === 'split' ? 'terminal-panes terminal-split' : 'terminal-panes terminal-stack'}
      onKeyDownCapture={onKeys}
    >
      {listed.map((process) => view(process, { open: open.has(process.id), stacked: true }))}
      {earlier.length > 0 && (
        <button
          type="button"
          className="ui-row terminal-earlier"
          aria-expanded={showEarlier}
          onClick={() => setShowEarlier(!showEarlier)}
        >
          <ChevronRight className="ui-chevron" size={13} aria-hidden />
          {showEarlier ? 'Hide earlier' : `${earlier.length} earlier`}
        </button>
      )}
    </div>
  )
}
