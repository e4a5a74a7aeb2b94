import { Radar, X } from 'lucide-react'
import type { ProcessInfo } from '../../src-preload/contract/processes'
import { call } from '../state/bridge'
import { attempt } from '../state/toasts'
import { IconButton } from '../ui'
import { watchWords } from './watch-words'

/** The events of this process that the agent will be notified of. */
export function WatchList({ process: { id, watches } }: { process: ProcessInfo }) {
  if (!watches?.length) return null
  return (
    <ul className="terminal-watches" aria-label="Agent notifications">
      {watches.map((watch) => (
        <li key={watch.id}>
          <Radar size={13} aria-hidden />
          <span>Notifies the agent when it {watchWords(watch)}</span>
          <IconButton
            label={`Stop watching: ${watchWords(watch)}`}
            icon={<X size={13} />}
            onClick={() => attempt(call('process.unwatch', { id, watchId: watch.id }))}
          />
        </li>
      ))}
    </ul>
  )
}
