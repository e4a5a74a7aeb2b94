const MOST = 12

/** Names that can be taken with a click instead of being typed. */
export function Suggestions({
  label,
  names,
  onPick,
}: {
  label: string
  names: string[]
  onPick: (name: string) => void
}) {
  if (names.length === 0) return null
  return (
    <ul className="nodes-suggestions" aria-label={label}>
      {names.slice(0, MOST).map((name) => (
        <li key={name}>
          <button type="button" onClick={() => onPick(name)}>
            {name}
          </button>
        </li>
      ))}
    </ul>
  )
}
