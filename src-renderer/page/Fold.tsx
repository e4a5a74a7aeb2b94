import './page.css'
import { ChevronRight } from 'lucide-react'
import { type ReactNode, useId, useState } from 'react'

interface FoldProps {
  /** The label that opens it. */
  label: ReactNode
  /** For screen readers, if the visible label does not say what this belongs to. */
  of?: string
  startOpen?: boolean
  children: ReactNode
}

/** A section that can be expanded. Its content is rendered only while it is open. */
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
