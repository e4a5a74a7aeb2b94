import { useState } from 'react'
import type { BackendPlace } from '../../src-preload/contract/backends'
import type { NodeInvitation } from '../../src-preload/contract/nodes'
import { Choice } from '../page/Choice'
import { useDeckhand } from '../state/store'
import { AddNode } from './AddNode'
import { AddShellNode } from './AddShellNode'

type Kind = 'machine' | BackendPlace['kind']

const KINDS: readonly { value: Kind; label: string }[] = [
  { value: 'machine', label: 'Machine with Deckhand' },
  { value: 'ssh', label: 'SSH host' },
  { value: 'container', label: 'Container' },
  { value: 'local', label: 'tmux on this machine' },
]
const WINDOWS_KINDS: readonly { value: Kind; label: string }[] = [
  ...KINDS.filter(({ value }) => value !== 'local'),
  { value: 'wsl', label: 'WSL distribution' },
]

/** Adds a node of any kind: a machine that connects to us, or one that is reached through a program on this machine. */
export function AddAnyNode({ onAdded, onClose }: { onAdded: (made: NodeInvitation) => void; onClose: () => void }) {
  const [kind, setKind] = useState<Kind>('machine')
  const isWindows = useDeckhand((state) => state.nodes?.some(({ local, os }) => local && os === 'windows') ?? false)
  const head = (
    <>
      <span className="page-form-label">Kind</span>
      <div>
        <Choice label="Kind" value={kind} options={isWindows ? WINDOWS_KINDS : KINDS} onChange={setKind} />
      </div>
    </>
  )
  if (kind === 'machine') return <AddNode head={head} onAdded={onAdded} onClose={onClose} />
  return <AddShellNode key={kind} kind={kind} head={head} onClose={onClose} />
}
