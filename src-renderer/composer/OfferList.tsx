import { type ReactNode, useEffect, useRef } from 'react'

interface OfferListProps {
  id: string
  label: string
  /** The index of the entry that Enter chooses. */
  at: number
  children: ReactNode
}

/** Suggestions for the word that is being typed, above the message box. */
export function OfferList({ id, label, at, children }: OfferListProps) {
  const list = useRef<HTMLDivElement>(null)
  useEffect(() => {
    list.current?.children[at]?.scrollIntoView({ block: 'nearest' })
  }, [at])
  return (
    <div ref={list} id={id} className="composer-slash" role="listbox" aria-label={label}>
      {children}
    </div>
  )
}

interface OfferProps {
  id: string
  selected: boolean
  onChoose: () => void
  children: ReactNode
}

export function Offer({ id, selected, onChoose, children }: OfferProps) {
  return (
    // biome-ignore lint/a11y/useFocusableInteractive: the keyboard stays in the message box
    // biome-ignore lint/a11y/useKeyWithClickEvents: the message box handles the keys
    <div
      id={id}
      className="composer-slash-item"
      role="option"
      aria-selected={selected}
      // The message box keeps the focus.
      onMouseDown={(event) => event.preventDefault()}
      onClick={onChoose}
    >
      {children}
    </div>
  )
}
