import type { ReactNode } from 'react'

interface ScrollProps {
  label: string
  className: string
  children: ReactNode
}

/** A scrolling box that can be focused, so that the arrow keys scroll it. */
export function Scroll({ label, className, children }: ScrollProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: without it the keyboard cannot scroll what overflows
    <section className={className} aria-label={label} tabIndex={0}>
      {children}
    </section>
  )
}
