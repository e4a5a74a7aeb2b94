import { Hourglass, Unplug } from 'lucide-react'
import { greetMain } from '../state/connect'
import { useDeckhand } from '../state/store'
import { Button, Empty, Skeleton } from '../ui'

/** Before main has answered: a skeleton of the window, or the error. */
export function Startup() {
  const failed = useDeckhand((state) => state.connection === 'failed')
  const error = useDeckhand((state) => state.connectionError)
  const note = useDeckhand((state) => state.connectionNote)
  if (failed)
    return (
      <main className="layout-startup">
        <Empty icon={<Unplug size={28} />} title="Deckhand could not start">
          <p>{error}</p>
          <Button kind="primary" onClick={greetMain}>
            Try again
          </Button>
        </Empty>
      </main>
    )
  if (note)
    return (
      <main className="layout-startup" aria-busy="true">
        <Empty icon={<Hourglass size={28} />} title="Deckhand is starting">
          <p role="status">{note}</p>
        </Empty>
      </main>
    )
  return (
    <main className="layout-startup" aria-busy="true" aria-label="Loading">
      <div className="layout-startup-side">
        <Skeleton rows={6} />
      </div>
      <div className="layout-startup-main">
        <Skeleton rows={5} />
      </div>
    </main>
  )
}
