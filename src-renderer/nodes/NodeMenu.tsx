import { Ellipsis, KeyRound, Pencil, Plug, Star, TerminalSquare, Trash2, Unplug } from 'lucide-react'
import { useState } from 'react'
import type { NodeInfo, NodeInvitation } from '../../src-preload/contract/nodes'
import { Confirm } from '../page/Confirm'
import { call } from '../state/bridge'
import { focusProcess } from '../state/navigate'
import { getState } from '../state/store'
import { attempt, toast } from '../state/toasts'
import { IconButton, Menu, MenuItem, MenuSeparator } from '../ui'
import { connectShellNode } from './connect-shell-node'
import { RenameNode } from './RenameNode'

type Asking = 'rename' | 'token' | 'disconnect' | 'revoke' | 'remove' | null

export function NodeMenu({ node, onInvite }: { node: NodeInfo; onInvite: (made: NodeInvitation | null) => void }) {
  const [asking, setAsking] = useState<Asking>(null)
  const close = () => setAsking(null)
  const { id } = node
  const online = node.state === 'connected'
  const revoke = () =>
    attempt(
      call('node.revoke', { id }).then(() => {
        // If its command is still shown, it no longer works.
        onInvite(null)
        toast({ kind: 'info', text: `Revoked ${id}.` })
      }),
    )
  return (
    <>
      <Menu align="end" trigger={<IconButton light label={`More for ${id}`} icon={<Ellipsis size={15} />} />}>
        {online && (
          <MenuItem icon={<TerminalSquare size={14} />} onSelect={() => openTerminal(id)}>
            Open terminal
          </MenuItem>
        )}
        <MenuItem icon={<Pencil size={14} />} onSelect={() => setAsking('rename')}>
          Rename…
        </MenuItem>
        {node.role === 'execution' && !node.primary && (
          <MenuItem icon={<Star size={14} />} onSelect={() => attempt(call('node.makePrimary', { id }))}>
            Make primary
          </MenuItem>
        )}
        {node.backend && <ShellNodeItems node={node} onRemove={() => setAsking('remove')} />}
        {!node.local && !node.backend && (
          <>
            <MenuItem icon={<KeyRound size={14} />} onSelect={() => setAsking('token')}>
              New token…
            </MenuItem>
            <MenuSeparator />
            {online && (
              <MenuItem icon={<Unplug size={14} />} onSelect={() => setAsking('disconnect')}>
                Disconnect…
              </MenuItem>
            )}
            <MenuItem danger icon={<Trash2 size={14} />} onSelect={() => setAsking('revoke')}>
              Revoke…
            </MenuItem>
          </>
        )}
      </Menu>
      <Confirm
        open={asking === 'remove'}
        title={`Remove ${id}?`}
        action="Remove"
        keep="Cancel"
        onClose={close}
        onConfirm={() => attempt(call('node.revoke', { id }))}
      >
        The connection is closed and the node removed. Anything in its tmux keeps running there.
      </Confirm>
      {asking === 'rename' && <RenameNode node={node} onClose={close} />}
      <Confirm
        open={asking === 'token'}
        title={`Create a new token for ${id}?`}
        action="Create token"
        onClose={close}
        onConfirm={() => attempt(call('node.renewToken', { id }).then(onInvite))}
      >
        The old token stops working at once and {id} is disconnected. You then get a new command to run there.
      </Confirm>
      <Confirm
        open={asking === 'disconnect'}
        title={`Disconnect ${id}?`}
        action="Disconnect"
        onClose={close}
        onConfirm={() => attempt(call('node.disconnect', { id }))}
      >
        Calls that are waiting for it fail. Its processes keep running, and it reconnects by itself while its command is
        running there. To keep it out, revoke it.
      </Confirm>
      <Confirm
        open={asking === 'revoke'}
        title={`Revoke ${id}?`}
        action="Revoke"
        keep="Cancel"
        onClose={close}
        onConfirm={revoke}
      >
        It is disconnected and removed, and its token stops working. Calls that are waiting for it fail. Files its
        commands wrote stay on that machine.
      </Confirm>
    </>
  )
}

/** The menu of an ssh host, a container, WSL or tmux. */
function ShellNodeItems({ node: { id, state }, onRemove }: { node: NodeInfo; onRemove: () => void }) {
  return (
    <>
      <MenuSeparator />
      {state === 'connected' ? (
        <MenuItem icon={<Unplug size={14} />} onSelect={() => attempt(call('node.disconnect', { id }))}>
          Disconnect
        </MenuItem>
      ) : (
        <MenuItem icon={<Plug size={14} />} onSelect={() => connectShellNode(id)}>
          Connect
        </MenuItem>
      )}
      <MenuItem danger icon={<Trash2 size={14} />} onSelect={onRemove}>
        Remove…
      </MenuItem>
    </>
  )
}

function openTerminal(id: string): void {
  const sessionId = getState().selectedId
  if (!sessionId) toast({ kind: 'info', text: 'Open a session first. Every terminal belongs to a session.' })
  else attempt(call('node.openTerminal', { id, sessionId }).then(focusProcess))
}
