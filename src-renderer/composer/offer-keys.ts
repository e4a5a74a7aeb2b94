import type { KeyboardEvent } from 'react'

interface Offers<Item> {
  items: readonly Item[]
  /** The index of the entry that Enter chooses. */
  at: number
  setAt(at: number): void
  dismiss(): void
  /** Returns false if the key means something else after all. */
  choose(item: Item, key: 'Tab' | 'Enter'): boolean
}

/** For a list above the message box, which keeps the focus. Returns true if the key was for the list. */
export function keyForOffers<Item>(event: KeyboardEvent, { items, at, setAt, dismiss, choose }: Offers<Item>): boolean {
  const chosen = items[Math.min(at, items.length - 1)]
  if (chosen === undefined || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return false
  switch (event.key) {
    case 'ArrowDown':
      setAt((at + 1) % items.length)
      return true
    case 'ArrowUp':
      setAt((at + items.length - 1) % items.length)
      return true
    case 'Escape':
      dismiss()
      return true
    case 'Tab':
    case 'Enter':
      return choose(chosen, event.key)
    default:
      return false
  }
}
