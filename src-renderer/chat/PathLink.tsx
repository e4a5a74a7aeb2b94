import type { ReactNode } from 'react'
import { openPlace } from '../state/places'
import type { Place } from './place'

interface PathLinkProps {
  place: Place
  className: string
  children: ReactNode
}

/** The name of a file; a click opens it in the user's editor. */
export function PathLink({ place, className, children }: PathLinkProps) {
  return (
    <button
      type="button"
      className={`ui-link chat-path-link ${className}`}
      title="Open in editor"
      onClick={() => openPlace(place)}
    >
      {children}
    </button>
  )
}
