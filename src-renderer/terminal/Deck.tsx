import './terminal.css'
import { Columns2, PanelTop, Plus, Rows3, SquareTerminal } from 'lucide-react'
import { Suspense, useRef, useState } from 'react'
import { useShallow } from 'zustand/react/shallow'
import { lazily } from '../layout/lazily'
import { openTerminalOfMyOwn } from '../state/session-actions'
import { useDeckhand } from '../state/store'
import { Badge, Button, Empty, IconButton, Menu, MenuItem } from '../ui'
import { type DeckLayout, deckLayouts, loadLayout, saveLayout } from './layout'
import { isLive } from './order'
import { Panes } from './Panes'
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
      <header className="ui-row terminal-deck-head">
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
