import { setExpanded } from '../state/navigate'
import { useDeckhand } from '../state/store'

/** Whether something that folds is expanded. Kept in the store, since a row that scrolls out of view is unmounted. */
export function useExpanded(id: string, initially = false): [boolean, () => void] {
  const open = useDeckhand((state) => state.expanded[id] ?? initially)
  return [open, () => setExpanded(id, !open)]
}
