import { ChevronRight } from 'lucide-react'

interface EarlierListProps {
  count: number
  open: boolean
  onToggle: () => void
}

/** The fold that holds what ended some time ago. */
export function EarlierList({ count, open, onToggle }: EarlierListProps) {
  return (
    <button type="button" className="terminal-earlier" aria-expanded={open} onClick={onToggle}>
      <ChevronRight className="terminal-chevron" size={13} aria-hidden />
      {open ? 'Hide earlier' : `${count} earlier`}
    </button>
  )
}
