import { CircleCheck, X } from 'lucide-react'
import { useEffect, useRef } from 'react'
import type { NodeInvitation } from '../../src-preload/contract/nodes'
import { Copyable } from '../page/Copyable'
import { useDeckhand } from '../state/store'
import { announce } from '../state/toasts'
import { IconButton } from '../ui'

/** The command for the other machine, and whether it has been run there. */
export function Invitation({ invitation, onClose }: { invitation: NodeInvitation; onClose: () => void }) {
  const node = useDeckhand((state) => state.nodes?.find((entry) => entry.id === invitation.nodeId))
  const loopback = useDeckhand((state) => state.gateway?.loopback ?? false)
  const card = useRef<HTMLElement>(null)
  const connected = node?.state === 'connected'
  useEffect(() => card.current?.focus(), [])
  useEffect(() => {
    if (connected) announce(`${invitation.nodeId} is connected`)
  }, [connected, invitation.nodeId])

  return (
    <section
      ref={card}
      className="ui-column page-card nodes-invitation"
      data-tone="edit"
      tabIndex={-1}
      aria-label={`Command for ${invitation.nodeId}`}
    >
      <header className="ui-row page-card-head">
        <h3>Run this on {invitation.nodeId}</h3>
        <span className="ui-row page-card-tools">
          <IconButton label="Close" icon={<X size={14} />} onClick={onClose} />
        </span>
      </header>
      <Copyable text={invitation.command} what="the command" />
      <p className="page-hint">
        The token is shown only once. Anyone who has it can connect a machine under this name.
      </p>
      {loopback && (
        <p className="page-caution">
          The gateway accepts connections from this machine only. To connect another machine, change that below, or
          forward the port with ssh -R.
        </p>
      )}
      {connected ? (
        <p className="nodes-connected" role="status">
          <CircleCheck size={15} aria-hidden /> Connected
        </p>
      ) : (
        <p className="nodes-waiting" role="status">
          <span className="page-dot" data-tone="wait" data-pulse aria-hidden /> Waiting for it to connect…
        </p>
      )}
    </section>
  )
}
