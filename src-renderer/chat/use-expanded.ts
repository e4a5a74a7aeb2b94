import { setExpanded } from '../state/navigate'
import { useDeckhand } from '../state/store'

/** Whether something that folds is open. Kept in the store, as a row that scrolls away forgets. */
export function useExpanded(id: string, initially = false): [boolean, () => void] {
  const open = useDeckhand((state) => state.expanded[id] ?? initially)
  return [open, () => setExpanded(id, !open)]
}
