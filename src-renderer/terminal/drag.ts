import type { DragEvent } from 'react'

/** The data type of a dragged pane, so that dropped files and text are not mistaken for panes. */
const kind = 'application/x-deckhand-pane'

/** Props for the part of a pane that it is dragged by. */
export const dragSource = (id: string) => ({
  draggable: true,
  onDragStart: (event: DragEvent) => {
    event.dataTransfer.setData(kind, id)
    event.dataTransfer.effectAllowed = 'move'
  },
})

/** Props for a pane or a tab that others can be dropped on. */
export const dropTarget = (id: string, onMove: (moved: string, target: string) => void) => ({
  onDragOver: (event: DragEvent<HTMLElement>) => {
    if (!event.dataTransfer.types.includes(kind)) return
    event.preventDefault()
    event.currentTarget.dataset.over = 'true'
  },
  onDragLeave: (event: DragEvent<HTMLElement>) => {
    delete event.currentTarget.dataset.over
  },
  onDrop: (event: DragEvent<HTMLElement>) => {
    const moved = event.dataTransfer.getData(kind)
    delete event.currentTarget.dataset.over
    if (!moved) return
    event.preventDefault()
    event.stopPropagation()
    onMove(moved, id)
  },
})
