import { type ReactNode, useEffect, useSyncExternalStore } from 'react'
import { Group, type Layout, Panel, Separator, usePanelRef } from 'react-resizable-panels'
import { isNarrow, onNarrowChange } from '../state/narrow'
import { setState, useDeckhand } from '../state/store'
import { Drawer } from './Drawer'

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
        {...savedLayout(panelSet(beside))}
        onLayoutChanged={(layout) =>
          setState((state) => ({ columns: { ...state.columns, [panelSet('deck' in layout)]: layout } }))
        }
      >
        <Panel
          id="side"
          panelRef={sidebar}
          collapsible
          defaultSize={248}
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
        <Separator className="layout-separator" aria-label="Width of the session list" />
        <Panel id="main" minSize={420}>
          {main}
        </Panel>
        {beside && (
          <>
            <Separator className="layout-separator" aria-label="Width of the deck" />
            <Panel id="deck" defaultSize="34%" minSize={280}>
              {deck}
            </Panel>
          </>
        )}
      </Group>
      {narrow && deck && drawerOpen && <Drawer onClose={() => setState({ drawerOpen: false })}>{deck}</Drawer>}
    </>
  )
}

/** The widths depend on which columns there are, so each combination is remembered by itself. */
const panelSet = (withDeck: boolean) => (withDeck ? 'side main deck' : 'side main')

function savedLayout(set: string): { defaultLayout?: Layout } {
  const layout = useDeckhand.getState().columns[set]
  return layout ? { defaultLayout: layout } : {}
}
