import './page.css'
import type { ReactNode } from 'react'
import { useDeckhand } from '../state/store'

interface PageProps {
  title: string
  /** One sentence about the page. */
  hint?: ReactNode
  /** Buttons and filters beside the title. */
  actions?: ReactNode
  /** `full` takes all the height and does not scroll as a whole. */
  kind?: 'column' | 'full'
  children: ReactNode
}

/** The frame of a page: its title, its actions and its content. */
export function Page({ title, hint, actions, kind = 'column', children }: PageProps) {
  const sidebarOpen = useDeckhand((state) => state.sidebarOpen)
  return (
    <section className="page" aria-label={title} data-alone={!sidebarOpen || undefined}>
      <div className="ui-column page-column" data-kind={kind}>
        <header className="page-head">
          <div className="page-words">
            <h1>{title}</h1>
            {hint && <p className="page-hint">{hint}</p>}
          </div>
          {actions && <div className="page-actions">{actions}</div>}
        </header>
        {children}
      </div>
    </section>
  )
}
