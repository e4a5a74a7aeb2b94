import type { NodeInfo, NodeInvitation } from '../../src-preload/contract/nodes'
import { Copyable } from '../page/Copyable'
import { Fold } from '../page/Fold'
import { call } from '../state/bridge'
import { count, exactTime } from '../state/format'
import { attempt } from '../state/toasts'
import { shortPath } from '../terminal/words'
import { Badge, Button, useNow } from '../ui'
import { connectShellNode } from './connect-shell-node'
import { NodeLog } from './NodeLog'
import { NodeMenu } from './NodeMenu'
import { stateWords, systemName, toneOf } from './node-words'

/** One machine: its state, its system, its capabilities. */
export function NodeCard({ node, onInvite }: { node: NodeInfo; onInvite: (made: NodeInvitation | null) => void }) {
  const now = useNow()
  return (
    <article className="ui-column page-card" aria-label={node.id} data-dim={node.state !== 'connected' || undefined}>
      <header className="ui-row page-card-head">
        <span className="page-dot" data-tone={toneOf(node)} aria-hidden />
        <h3>{node.id}</h3>
        <span className="page-state" title={node.lastSeenAt === null ? undefined : exactTime(node.lastSeenAt)}>
          {stateWords(node, now)}
        </span>
        {node.local && <Badge>this machine</Badge>}
        {node.primary && <Badge tone="accent">primary</Badge>}
        <span className="ui-row page-card-tools">
          <NodeMenu node={node} onInvite={onInvite} />
        </span>
      </header>
      <Facts node={node} />
      {node.problem && <p className="page-error">{node.problem}</p>}
      {node.backend && node.state !== 'connected' && (
        <div>
          <Button disabled={node.backend.connecting} onClick={() => connectShellNode(node.id)}>
            {node.backend.connecting ? 'Connecting…' : 'Connect'}
          </Button>
        </div>
      )}
      {node.backend?.attach && (
        <div>
          <p className="page-hint">To attach from any terminal:</p>
          <Copyable text={node.backend.attach} what="Command" />
        </div>
      )}
      {node.newCapabilities.length > 0 && (
        <div className="ui-row page-note" role="note">
          <span>
            It offers more than when you added it: {node.newCapabilities.join(', ')}. Nothing uses it until you agree.
          </span>
          <Button onClick={() => attempt(call('node.approve', { id: node.id }))}>Allow</Button>
        </div>
      )}
      {node.capabilities.length > 0 && (
        <ul className="page-chips" aria-label="Capabilities">
          {node.capabilities.map((capability) => (
            <li key={capability}>{capability}</li>
          ))}
        </ul>
      )}
      <div className="ui-column nodes-folds">
        {node.state !== 'expected' && (
          <Fold label="Log" of={node.id}>
            <NodeLog id={node.id} />
          </Fold>
        )}
        {(node.tools.length > 0 || node.envKeys.length > 0 || Object.keys(node.bins).length > 0) && (
          <Fold label="Tools, programs and environment" of={node.id}>
            <Offers node={node} />
          </Fold>
        )}
      </div>
    </article>
  )
}

function Facts({ node }: { node: NodeInfo }) {
  if (node.state === 'expected') return null
  const facts: [string, string, string?][] = []
  if (node.os !== null || !node.backend) facts.push(['System', systemName(node.os)])
  facts.push(['Role', node.role === 'execution' ? 'runs commands' : 'specialised'])
  if (node.backend) facts.push(['Connects by', node.backend.label])
  if (node.workspace) facts.push(['Workspace', shortPath(node.workspace), node.workspace])
  if (node.hostname && node.hostname !== node.id) facts.push(['Host', node.hostname])
  if (node.address) facts.push(['From', node.address])
  if (node.version) facts.push(['Version', node.version])
  if (node.processes > 0) facts.push(['Runs', count(node.processes, 'process', 'processes')])
  return (
    <dl className="page-facts">
      {facts.map(([name, value, exact]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd title={exact}>{value}</dd>
        </div>
      ))}
    </dl>
  )
}

function Offers({ node }: { node: NodeInfo }) {
  const programs = Object.entries(node.bins).sort(([a], [b]) => a.localeCompare(b))
  return (
    <div className="nodes-offers">
      <Chips label="Tools" names={node.tools} />
      {programs.length > 0 && (
        <>
          <h4>Programs</h4>
          <ul className="page-chips">
            {programs.map(([name, there]) => (
              <li key={name} data-missing={there ? undefined : true}>
                {name}
                {!there && <span className="sr-only">, missing</span>}
              </li>
            ))}
          </ul>
        </>
      )}
      <Chips label="Environment variables (names only)" names={node.envKeys} />
    </div>
  )
}

function Chips({ label, names }: { label: string; names: string[] }) {
  if (names.length === 0) return null
  return (
    <>
      <h4>{label}</h4>
      <ul className="page-chips">
        {names.map((name) => (
          <li key={name}>{name}</li>
        ))}
      </ul>
    </>
  )
}
