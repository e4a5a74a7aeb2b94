import { keyLabels, type ShortcutId } from '../state/shortcuts'
import { useDeckhand } from '../state/store'

/** The keys of a shortcut as small key caps. */
export function Kbd({ id }: { id: ShortcutId }) {
  // Rendered again when the user changes a key.
  useDeckhand((state) => state.settings?.keyBindings)
  return (
    <span className="ui-kbd">
      {keyLabels(id).map((label) => (
        <kbd key={label}>{label}</kbd>
      ))}
    </span>
  )
}
