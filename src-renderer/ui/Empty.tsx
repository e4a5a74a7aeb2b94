import type { ReactNode } from 'react'

interface EmptyProps {
  icon?: ReactNode
  title: string
  children?: ReactNode
}

/** What an empty page or list shows: what will appear here, and how. */
export function Empty({ icon, title, children }: EmptyProps) {
  return (
    <div className="ui-empty">
      {icon && <div className="ui-empty-icon">{icon}</div>}
      <h2 className="ui-empty-title">{title}</h2>
      {children && <div className="ui-empty-text">{children}</div>}
    </div>
  )
}

/** A placeholder in the shape of what is being loaded. */
export function Skeleton({ rows = 3 }: { rows?: number }) {
  return (
    <div className="ui-skeleton" aria-hidden>
      {widths.slice(0, rows).map((width) => (
        <span key={width} style={{ width: `${width}%` }} />
      ))}
    </div>
  )
}

const widths = [88, 71, 54, 93, 62, 79, 45, 84]
