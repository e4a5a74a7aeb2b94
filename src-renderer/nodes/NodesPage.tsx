import './nodes.css'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import type { NodeInvitation } from '../../src-preload/contract/nodes'
import { Loaded } from '../page/Loaded'
import { Page } from '../page/Page'
import { useAsk } from '../page/use-ask'
import { load } from '../state/load'
import { useDeckhand } from '../state/store'
import { Button } from '../ui'
import { AddAnyNode } from './AddAnyNode'
import { Gateway } from './Gateway'
import { Invitation } from './Invitation'
import { NodeCard } from './NodeCard'
import { sortedNodes } from './node-words'
import { Transfers } from './Transfers'

const readNodes = () => load('node.list', {})

/** The machines that commands can run on, with their state and actions. */
export function NodesPage() {
  const nodes = useDeckhand((state) => state.nodes)
  const asked = useAsk(readNodes)
  const [adding, setAdding] = useState(false)
  const [invitation, setInvitation] = useState<NodeInvitation | null>(null)
  const others = nodes?.filter((node) => !node.local) ?? []

  const invite = (next: NodeInvitation | null) => {
    setAdding(false)
    setInvitation(next)
  }

  return (
    <Page
      title="Nodes"
      hint="Machines where Deckhand can run commands, use files and open terminals."
      actions={
        <Button kind="primary" icon={<Plus size={14} />} disabled={adding} onClick={() => setAdding(true)}>
          Add node
        </Button>
      }
    >
      <Loaded asked={asked} ready={nodes !== null} what="The nodes">
        {adding && <AddAnyNode onAdded={invite} onClose={() => setAdding(false)} />}
        {invitation && <Invitation invitation={invitation} onClose={() => setInvitation(null)} />}
        <Transfers />
        <ul className="ui-column page-list" aria-label="Nodes">
          {sortedNodes(nodes ?? []).map((node) => (
            <li key={node.id}>
              <NodeCard node={node} onInvite={invite} />
            </li>
          ))}
        </ul>
        {others.length === 0 && !adding && !invitation && <Lesson onAdd={() => setAdding(true)} />}
        <Gateway />
      </Loaded>
    </Page>
  )
}

function Lesson({ onAdd }: { onAdd: () => void }) {
  return (
    <section className="nodes-lesson" aria-label="How to add a node">
      <h2>Work on other machines</h2>
      <ol>
        <li>Add an SSH host, a container, or a tmux session. Nothing is installed there.</li>
        <li>
          Or have another machine connect to you: paste a command with a new token into a terminal there. It needs Node
          20 or newer, but no desktop.
        </li>
        <li>Its terminals appear in the deck beside your own, with the same approvals.</li>
      </ol>
      <Button onClick={onAdd}>Connect a machine</Button>
    </section>
  )
}
