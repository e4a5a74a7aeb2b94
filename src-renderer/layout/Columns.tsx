import { type ReactNode, useEffect, useSyncExternalStore } from 'react'
import { Group, Panel, Separator, usePanelRef } from 'react-resizable-panels'
import { isNarrow, onNarrowChange } from '../state/narrow'
import { getState, setState, useDeckhand } from '../state/store'
import { Drawer } from './Drawer'
import { sharesOf, widthsAfter } from './widths'

interface ColumnsProps {
  side: ReactNode
  main: ReactNode
  /** Absent on pages that have no terminals. */
  deck: ReactNode | null
}

/** Sessions, chat and deck side by side. They resize, collapse and are found again as they were left. */
export function Columns({ side, main, deck }: ColumnsProps) {
  const sidebarOpen = useDeckhand((state) => state.sidebarOpen)
  const deckOpen = useDeckhand((state) => state.deckOpen)
  const drawerOpen = useDeckhand((state) => state.drawerOpen)
  const narrow = useSyncExternalStore(onNarrowChange, isNarrow)
  const sidebar = usePanelRef()

  useEffect(() => {
    if (sidebarOpen) sidebar.current?.expand()
    else sidebar.current?.collapse()
  }, [sidebarOpen, sidebar])

  const beside = deck !== null && deckOpen && !narrow
  return (
    <>
      <Group
        className="layout-columns"
        defaultLayout={sharesOf(getState().widths, { windowWidth: innerWidth, sidebar: sidebarOpen, deck: beside })}
        onLayoutChanged={(shares) => setState(({ widths }) => ({ widths: widthsAfter(widths, shares, innerWidth) }))}
      >
        <Panel
          id="side"
          panelRef={sidebar}
          collapsible
          minSize={200}
          maxSize={420}
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
        <Panel id="main" minSize={420}>
          {main}
        </Panel>
        {beside && (
          <>
            <Separator className="layout-separator" aria-label="Width of the deck" />
            <Panel id="deck" minSize={280}>
              {deck}
            </Panel>
          </>
        )}
      </Group>
      {narrow && deck && drawerOpen && <Drawer onClose={() => setState({ drawerOpen: false })}>{deck}</Drawer>}
    </>
  )
}
