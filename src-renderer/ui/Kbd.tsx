import { keyLabels, type ShortcutId } from '../state/shortcuts'

/** The keys of a shortcut, as small caps. */
export function Kbd({ id }: { id: ShortcutId }) {
  return (
    <span className="ui-kbd">
      {keyLabels(id).map((label) => (
        <kbd key={label}>{label}</kbd>
      ))}
    </span>
  )
}
