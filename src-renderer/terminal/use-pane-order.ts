import { type KeyboardEvent, useMemo, useState } from 'react'
import type { ProcessInfo } from '../../src-preload/contract/processes'
import { isShortcut } from '../state/shortcuts'
import { announce } from '../state/toasts'
import { arrange, besideOf, inOrder, moveTo } from './order'

/**
 * The order of the panes, which the user changes by dragging and by keys. `listed` are the panes that are not folded
 * away.
 */
export function usePaneOrder(processes: ProcessInfo[], withEarlier: boolean) {
  const [order, setOrder] = useState<string[]>([])
  const { shown, earlier } = useMemo(() => {
    const arranged = arrange(processes)
    return { shown: inOrder(arranged.shown, order), earlier: arranged.earlier }
  }, [processes, order])
  const listed = withEarlier ? [...shown, ...earlier] : shown
  const ids = listed.map(({ id }) => id)

  return {
    shown,
    earlier,
    listed,
    move: (moved: string, target: string) => setOrder(moveTo(ids, moved, target)),
    /** Runs before the terminal gets the keys. */
    onKeys(event: KeyboardEvent) {
      const step = isShortcut('move-pane-back', event) ? -1 : isShortcut('move-pane-on', event) ? 1 : 0
      const holder =
        event.target instanceof Element ? event.target.closest<HTMLElement>('[data-process], [data-tab]') : null
      const moved = holder?.dataset.process ?? holder?.dataset.tab
      if (step === 0 || !moved) return
      event.preventDefault()
      event.stopPropagation()
      const target = besideOf(ids, moved, step)
      if (!target) return
      setOrder(moveTo(ids, moved, target))
      announce(step < 0 ? 'Moved up' : 'Moved down')
      // The browser may have removed the focus when the pane moved.
      const focused = document.activeElement
      requestAnimationFrame(() => focused instanceof HTMLElement && focused.focus())
    },
  }
}
