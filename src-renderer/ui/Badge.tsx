import type { ReactNode } from 'react'

interface BadgeProps {
  tone?: 'neutral' | 'accent' | 'wait' | 'danger' | 'good'
  /** For screen readers, instead of the bare content. */
  label?: string
  children: ReactNode
}

export function Badge({ tone = 'neutral', label, children }: BadgeProps) {
  return (
    <span className={`ui-badge ui-badge-${tone}`}>
      <span aria-hidden={label ? true : undefined}>{children}</span>
      {label && <span className="sr-only">{label}</span>}
    </span>
  )
}
