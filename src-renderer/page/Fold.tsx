import './page.css'
import { ChevronRight } from 'lucide-react'
import { type ReactNode, useId, useState } from 'react'

interface FoldProps {
  /** The words that open it. */
  label: ReactNode
  /** For screen readers, where the visible words do not tell which thing this belongs to. */
  of?: string
  startOpen?: boolean
  children: ReactNode
}

/** A section that unfolds. Its content is rendered only while it is open. */
export function Fold({ label, of, startOpen = false, children }: FoldProps) {
  const [open, setOpen] = useState(startOpen)
  const id = useId()
  return (
    <div>
      <button
        type="button"
        className="page-fold-head"
        aria-expanded={open}
        aria-controls={open ? id : undefined}
        onClick={() => setOpen(!open)}
      >
        <ChevronRight size={13} aria-hidden />
        {label}
        {of && <span className="sr-only"> of {of}</span>}
      </button>
      {open && (
        <div className="page-fold-body" id={id}>
          {children}
        </div>
      )}
    </div>
  )
}
