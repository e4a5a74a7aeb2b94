import { KeyRound } from 'lucide-react'
import { type CSSProperties, memo, useRef, useState } from 'react'
import type { ProcessInfo } from '../../src-preload/contract/processes'
import { focusComposer } from '../state/navigate'
import { dropTarget } from './drag'
import { FindBar, type Matches } from './FindBar'
import { isLive } from './order'
import { PaneControls } from './PaneControls'
import { PaneHeader } from './PaneHeader'
import { PaneMenu } from './PaneMenu'
import type { Pane } from './pane'
import { ResizeHandle } from './ResizeHandle'
import { Screen } from './Screen'
import { WatchDialog } from './WatchDialog'
import { WatchList } from './WatchList'
import { describe } from './words'

interface PaneViewProps {
  process: ProcessInfo
  open: boolean
  maximised: boolean
  /** Only panes of a stack fold and have their own height. */
  stacked: boolean
  height: number | undefined
  focusAt: number
  onToggle: (id: string, open: boolean) => void
  onMaximise: (id: string) => void
  onHeight: (id: string, height: number | undefined) => void
  /** Moves a dragged pane to the position of another. */
  onMove: (moved: string, target: string) => void
}

/** One process: its header and, while open, its terminal. */
export const PaneView = memo(function PaneView(props: PaneViewProps) {
  const { process, open, maximised, stacked, height, focusAt, onToggle, onMaximise, onHeight, onMove } = props
  const pane = useRef<Pane | null>(null)
  const article = useRef<HTMLElement>(null)
  const [focused, setFocused] = useState(false)
  const [searchAt, setSearchAt] = useState(0)
  const [matches, setMatches] = useState<Matches>({ resultIndex: -1, resultCount: 0 })
  const search = () => setSearchAt(Date.now())
  const [watching, setWatching] = useState(false)
  const maximise = () => onMaximise(process.id)
  const focus = (has: boolean) => {
    setFocused(has)
    // A pane that the user has typed into stays open, whatever starts or ends around it.
    if (has && stacked) onToggle(process.id, true)
  }
  const style: CSSProperties | undefined = stacked && open && height ? { flex: `0 0 ${height}px` } : undefined

  return (
    <article
      ref={article}
      className="terminal-pane"
      data-process={process.id}
      data-open={open}
      data-focused={focused}
      data-live={isLive(process)}
      data-tone={describe(process).tone}
      aria-label={process.title || process.command}
      style={style}
      {...dropTarget(process.id, onMove)}
    >
      <PaneHeader
        process={process}
        open={open}
        onToggle={stacked && !maximised ? () => onToggle(process.id, !open) : undefined}
        onMaximise={maximise}
      >
        <PaneControls
          process={process}
          pane={pane}
          maximised={maximised}
          onSearch={search}
          onWatch={() => setWatching(true)}
          onMaximise={maximise}
        />
      </PaneHeader>
      {open && (
        <>
          {process.secretInput && (
            <p className="ui-row terminal-secret" role="status">
              <KeyRound size={14} aria-hidden />
              Waiting for your input. The agent is locked out, and what you type is not recorded.
            </p>
          )}
          <WatchList process={process} />
          {searchAt > 0 && <FindBar pane={pane} matches={matches} openedAt={searchAt} onClose={() => setSearchAt(0)} />}
          <PaneMenu process={process} pane={pane} onSearch={search}>
            <Screen
              process={process}
              pane={pane}
              focusAt={focusAt}
              onFocus={focus}
              onSearch={search}
              onLeave={focusComposer}
              onMatches={setMatches}
            />
          </PaneMenu>
          {stacked && !maximised && <ResizeHandle pane={article} onHeight={(next) => onHeight(process.id, next)} />}
        </>
      )}
      {watching && <WatchDialog process={process} onClose={() => setWatching(false)} />}
    </article>
  )
})
