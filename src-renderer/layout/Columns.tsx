import { type ReactNode, useEffect, useMemo, useState, useSyncExternalStore } from 'react'
import { Group, type Layout, Panel, Separator, usePanelRef } from 'react-resizable-panels'
import { isNarrow, onNarrowChange } from '../state/narrow'
import { isDeckShown } from '../state/navigate'
import { getState, setState, useDeckhand } from '../state/store'
import { useExpectedColumns } from '../terminal/use-columns'
import { Drawer } from './Drawer'
import type { Widths } from './widths'

interface ColumnsProps {
  side: ReactNode
  main: ReactNode
  /** Absent on pages that have no terminals. */
  deck: ReactNode | null
}

const widestSide = 380
const narrowestMain = 420
const narrowestDeck = 280

/**
 * Sessions, chat and deck side by side. They can be resized and collapsed, and are restored as they were left. The
 * sidebar has a split of its own, so that it keeps its width when the deck comes and goes.
 */
export function Columns({ side, main, deck }: ColumnsProps) {
  const sidebarOpen = useDeckhand((state) => state.sidebarOpen)
  const deckOpen = useDeckhand(isDeckShown)
  const drawerOpen = useDeckhand((state) => state.drawerOpen)
  const narrow = useSyncExternalStore(onNarrowChange, isNarrow)
  const sidebar = usePanelRef()
  const [startWidth] = useState(sidebarOpen ? getState().widths.side : 0)

  useEffect(() => {
    const panel = sidebar.current
    if (!sidebarOpen) panel?.collapse()
    else if (panel?.isCollapsed()) panel.resize(getState().widths.side)
  }, [sidebarOpen, sidebar])

  const beside = deck !== null && deckOpen && !narrow
  useExpectedColumns(deck !== null && !deckOpen && !narrow)
  return (
    <>
      <Group
        className="layout-columns"
        onLayoutChanged={(shares, { isUserInteraction }) => {
          if (isUserInteraction && shares.side) keepWidths({ side: Math.round((shares.side / 100) * innerWidth) })
        }}
      >
        <Panel
          id="side"
          panelRef={sidebar}
          collapsible
          defaultSize={startWidth}
          minSize={200}
          maxSize={widestSide}
          groupResizeBehavior="preserve-pixel-size"
          onResize={(size) => {
            const open = size.inPixels > 0
            setState((state) => (state.sidebarOpen === open ? state : { sidebarOpen: open }))
          }}
        >
          {sidebarOpen && side}
        </Panel>
        <Separator
          className="layout-separator"
          aria-label="Width of the session list"
          data-edge={!sidebarOpen || undefined}
        />
        <Panel id="rest" minSize={narrowestMain}>
          <MainAndDeck main={main} deck={beside ? deck : null} />
        </Panel>
      </Group>
      {narrow && deck && drawerOpen && <Drawer onClose={() => setState({ drawerOpen: false })}>{deck}</Drawer>}
    </>
  )
}

function MainAndDeck({ main, deck }: { main: ReactNode; deck: ReactNode | null }) {
  const beside = deck !== null
  const layout = useMemo((): Layout => {
    const share = getState().widths.deck
    return beside ? { main: 100 - share, deck: share } : { main: 100 }
  }, [beside])
  return (
    <Group
      className="layout-columns"
      defaultLayout={layout}
      onLayoutChanged={(shares, { isUserInteraction }) => {
        if (isUserInteraction && shares.deck !== undefined) keepWidths({ deck: shares.deck })
      }}
    >
      <Panel id="main" minSize={narrowestMain}>
        {main}
      </Panel>
      {beside && (
        <>
          <Separator className="layout-separator" aria-label="Width of the deck" />
          <Panel id="deck" minSize={narrowestDeck}>
            {deck}
          </Panel>
        </>
      )}
    </Group>
  )
}

const keepWidths = (change: Partial<Widths>) => setState(({ widths }) => ({ widths: { ...widths, ...change } }))
