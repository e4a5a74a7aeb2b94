import './terminal.css'
import { Columns2, PanelTop, Plus, Rows3, SquareTerminal } from 'lucide-react'
import { type KeyboardEvent, Suspense, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { useShallow } from 'zustand/react/shallow'
import type { ProcessInfo } from '../../src-preload/contract/processes'
import { lazily } from '../layout/lazily'
import { openTerminalOfMyOwn } from '../state/session-actions'
import { isShortcut } from '../state/shortcuts'
import { useDeckhand } from '../state/store'
import { announce } from '../state/toasts'
import { Badge, Button, Empty, IconButton, Menu, MenuItem } from '../ui'
import { EarlierList } from './EarlierList'
import { type DeckLayout, deckLayouts, loadLayout, saveLayout } from './layout'
import { arrange, besideOf, inOrder, isLive, moveTo, openPanes } from './order'
import { PaneTabs } from './PaneTabs'
import { PaneView } from './PaneView'
import { useColumns } from './use-columns'

const PreviewPane = lazily(async () => (await import('../preview/PreviewPane')).PreviewPane)

/** The processes of one session as live terminals. */
export function Deck({ sessionId }: { sessionId: string }) {
  return <SessionDeck key={sessionId} sessionId={sessionId} />
}

function SessionDeck({ sessionId }: { sessionId: string }) {
  const processes = useDeckhand(
    useShallow((state) => Object.values(state.processes).filter((process) => process.sessionId === sessionId)),
  )
  const previewed = useDeckhand((state) => state.preview?.sessionId === sessionId)
  const [layout, setLayout] = useState<DeckLayout>(loadLayout)
  const deck = useRef<HTMLElement>(null)
  useColumns(deck)
  const running = processes.filter(isLive).length

  const changeLayout = (next: DeckLayout) => {
    saveLayout(next)
    setLayout(next)
  }
  const Layout = layouts[layout].icon

  return (
    <section ref={deck} className="terminal-deck" aria-label="Terminals">
      <Suspense>{previewed && <PreviewPane sessionId={sessionId} />}</Suspense>
      <header className="terminal-deck-head">
        <h2>Terminals</h2>
        {running > 0 && (
          <Badge tone="accent" label={`${running} running`}>
            {running}
          </Badge>
        )}
        <span className="terminal-spacer" />
        <Menu
          align="end"
          trigger={
            <button type="button" className="ui-icon-button" aria-label="Layout" title="Layout">
              <Layout size={15} />
            </button>
          }
        >
          {deckLayouts.map((each) => (
            <MenuItem key={each} checked={each === layout} onSelect={() => changeLayout(each)}>
              {layouts[each].label}
            </MenuItem>
          ))}
        </Menu>
        <IconButton
          label="New terminal"
          shortcut="new-terminal"
          icon={<Plus size={16} />}
          onClick={() => openTerminalOfMyOwn(sessionId)}
        />
      </header>
      {processes.length === 0 ? (
        <EmptyDeck onOpen={() => openTerminalOfMyOwn(sessionId)} />
      ) : (
        <Panes processes={processes} layout={layout} />
      )}
    </section>
  )
}

const layouts = {
  stack: { label: 'Stacked', icon: Rows3 },
  split: { label: 'Side by side', icon: Columns2 },
  tabs: { label: 'Tabs', icon: PanelTop },
}

function EmptyDeck({ onOpen }: { onOpen: () => void }) {
  return (
    <Empty icon={<SquareTerminal size={28} />} title="No terminals yet">
      <p>Every command the agent runs appears here as a live terminal. You can watch it, type into it and stop it.</p>
      <p className="terminal-empty-action">
        <Button icon={<Plus size={14} />} shortcut="new-terminal" onClick={onOpen}>
          Open terminal
        </Button>
      </p>
    </Empty>
  )
}

function Panes({ processes, layout }: { processes: ProcessInfo[]; layout: DeckLayout }) {
  const [chosen, setChosen] = useState<Record<string, boolean>>({})
  const [heights, setHeights] = useState<Record<string, number | undefined>>({})
  const [maximisedId, setMaximisedId] = useState<string | null>(null)
  const [tab, setTab] = useState<string | null>(null)
  const [showEarlier, setShowEarlier] = useState(false)
  const body = useRef<HTMLDivElement>(null)

  const [order, setOrder] = useState<string[]>([])
  const { shown, earlier } = useMemo(() => {
    const arranged = arrange(processes)
    return { shown: inOrder(arranged.shown, order), earlier: arranged.earlier }
  }, [processes, order])
  const listed = showEarlier ? [...shown, ...earlier] : shown
  const move = (moved: string, target: string) =>
    setOrder(
      moveTo(
        listed.map(({ id }) => id),
        moved,
        target,
      ),
    )
  /** Before the terminal gets the keys. */
  const onKeys = (event: KeyboardEvent) => {
    const step = isShortcut('move-pane-back', event) ? -1 : isShortcut('move-pane-on', event) ? 1 : 0
    const holder =
      event.target instanceof Element ? event.target.closest<HTMLElement>('[data-process], [data-tab]') : null
    const moved = holder?.dataset.process ?? holder?.dataset.tab
    if (step === 0 || !moved) return
    event.preventDefault()
    event.stopPropagation()
    const ids = (layout === 'tabs' ? [...shown, ...earlier] : listed).map(({ id }) => id)
    const target = besideOf(ids, moved, step)
    if (!target) return
    setOrder(moveTo(ids, moved, target))
    announce(step < 0 ? 'Moved up' : 'Moved down')
    // Where it stands now the browser may have taken the focus away.
    const focused = document.activeElement
    requestAnimationFrame(() => focused instanceof HTMLElement && focused.focus())
  }
  const open = openPanes(listed, chosen)
  const maximised = processes.find((process) => process.id === maximisedId)
  const active = processes.find((process) => process.id === tab) ?? shown[0]

  const toggle = useCallback((id: string, next: boolean) => setChosen((before) => ({ ...before, [id]: next })), [])
  const maximise = useCallback((id: string) => setMaximisedId((before) => (before === id ? null : id)), [])
  const setHeight = useCallback(
    (id: string, height: number | undefined) => setHeights((before) => ({ ...before, [id]: height })),
    [],
  )

  const aim = useDeckhand((state) => state.aimedProcess)
  const aimed = aim && processes.some((process) => process.id === aim.id) ? aim : null
  const [focus, setFocus] = useState<{ id: string; at: number }>({ id: '', at: 0 })
  const seen = useRef(0)
  useEffect(() => {
    if (!aimed || aimed.at === seen.current) return
    seen.current = aimed.at
    if (earlier.some((process) => process.id === aimed.id)) setShowEarlier(true)
    setChosen((before) => ({ ...before, [aimed.id]: true }))
    setTab(aimed.id)
    setMaximisedId((before) => (before && before !== aimed.id ? null : before))
    setFocus(aimed)
    requestAnimationFrame(() => body.current?.querySelector(pane(aimed.id))?.scrollIntoView({ block: 'nearest' }))
  }, [aimed, earlier])

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
        <PaneTabs processes={[...shown, ...earlier]} active={active?.id ?? ''} onSelect={setTab} onMove={move} />
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
        <EarlierList count={earlier.length} open={showEarlier} onToggle={() => setShowEarlier(!showEarlier)} />
      )}
    </div>
  )
}

const pane = (id: string) => `[data-process="${CSS.escape(id)}"]`
