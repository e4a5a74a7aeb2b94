import { ArrowRight, CircleCheck, CircleX, X } from 'lucide-react'
import type { Transfer } from '../../src-preload/contract/nodes'
import { call } from '../state/bridge'
import { useDeckhand } from '../state/store'
import { attempt } from '../state/toasts'
import { IconButton } from '../ui'
import { shownTransfers, transferWords } from './node-words'

/** Files being transferred between machines. */
export function Transfers() {
  const transfers = useDeckhand((state) => state.transfers)
  const shown = shownTransfers(Object.values(transfers))
  if (shown.length === 0) return null
  return (
    <section className="ui-column page-section" aria-label="Transfers">
      <h2>Transfers</h2>
      <ul className="ui-column nodes-transfers">
        {shown.map((transfer) => (
          <Row key={transfer.id} transfer={transfer} />
        ))}
      </ul>
    </section>
  )
}

function Row({ transfer }: { transfer: Transfer }) {
  const { state, size, bytes } = transfer
  const running = state === 'starting' || state === 'running'
  const name = `${transfer.source} to ${transfer.destination}`
  return (
    <li data-state={state}>
      <p className="ui-row nodes-transfer-ends">
        {state === 'done' && <CircleCheck size={14} aria-label="Done" />}
        {state === 'failed' && <CircleX size={14} aria-label="Failed" />}
        <code>{transfer.source}</code>
        <ArrowRight size={13} aria-label="to" />
        <code>{transfer.destination}</code>
        {running && (
          <IconButton
            light
            label={`Cancel ${name}`}
            icon={<X size={14} />}
            onClick={() => attempt(call('transfer.cancel', { id: transfer.id }))}
          />
        )}
      </p>
      {running && <progress aria-label={name} {...(size === null ? {} : { value: bytes, max: Math.max(1, size) })} />}
      <p className="nodes-transfer-words">{transferWords(transfer)}</p>
    </li>
  )
}
