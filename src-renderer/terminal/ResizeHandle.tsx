import { type KeyboardEvent, type PointerEvent, type RefObject, useRef } from 'react'

const SMALLEST = 120
const STEP = 24

interface ResizeHandleProps {
  pane: RefObject<HTMLElement | null>
  /** Undefined restores the pane's share of the deck. */
  onHeight: (height: number | undefined) => void
}

/** The lower edge of a pane: can be dragged or moved with the arrow keys; a double click restores the usual height. */
export function ResizeHandle({ pane, onHeight }: ResizeHandleProps) {
  const drag = useRef<{ y: number; height: number } | null>(null)
  const heightNow = () => pane.current?.offsetHeight ?? SMALLEST
  const set = (height: number) => onHeight(Math.max(SMALLEST, Math.round(height)))

  const onPointerDown = (event: PointerEvent<HTMLDivElement>) => {
    event.currentTarget.setPointerCapture(event.pointerId)
    drag.current = { y: event.clientY, height: heightNow() }
  }
  const onPointerMove = (event: PointerEvent<HTMLDivElement>) => {
    if (drag.current) set(drag.current.height + event.clientY - drag.current.y)
  }
  const onPointerUp = () => {
    drag.current = null
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'ArrowDown') set(heightNow() + STEP)
    else if (event.key === 'ArrowUp') set(heightNow() - STEP)
    else if (event.key === 'Home') onHeight(undefined)
    else return
    event.preventDefault()
  }

  return (
    // biome-ignore lint/a11y/useSemanticElements: a separator that moves, which no element is by itself
    <div
      className="terminal-resize"
      role="separator"
      aria-orientation="horizontal"
      aria-label="Height of this terminal"
      aria-valuenow={pane.current?.offsetHeight ?? SMALLEST}
      aria-valuemin={SMALLEST}
      aria-valuemax={4000}
      tabIndex={0}
      onPointerDown={onPointerDown}
      onPointerMove={onPointerMove}
      onPointerUp={onPointerUp}
      onDoubleClick={() => onHeight(undefined)}
      onKeyDown={onKeyDown}
    />
  )
}
