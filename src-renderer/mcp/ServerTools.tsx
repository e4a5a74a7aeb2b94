import type { McpPolicy, McpServerInfo, McpToolInfo } from '../../src-preload/contract/mcp'
import { Diff } from '../chat/Diff'
import { Fold } from '../page/Fold'
import { attempt } from '../state/actions'
import { call } from '../state/bridge'
import { Button, Scroll, Select } from '../ui'

const policies: { value: McpPolicy; label: string; hint: string }[] = [
  { value: 'ask', label: 'Ask', hint: 'Each call waits for you, as your rules say' },
  { value: 'allow', label: 'Allow', hint: 'Runs by itself, until its definition changes' },
  { value: 'deny', label: 'Deny', hint: 'The agent does not see it' },
]

/** The tools of a server, and what each may do. */
export function ServerTools({ server }: { server: McpServerInfo }) {
  return (
    <>
      <p className="page-hint">
        {server.transport === 'http'
          ? 'Calls send their arguments to that address. What comes back counts as strangers’ words.'
          : 'Calls run inside that program, with your rights on this machine. What comes back counts as strangers’ words.'}
      </p>
      <ul className="mcp-tools" aria-label={`Tools of ${server.name}`}>
        {server.tools.map((tool) => (
          <ToolRow key={tool.fullName} id={server.id} tool={tool} />
        ))}
      </ul>
    </>
  )
}

function ToolRow({ id, tool }: { id: string; tool: McpToolInfo }) {
  const { name, change } = tool
  return (
    <li className="mcp-tool" data-changed={change ? true : undefined}>
      <div className="mcp-tool-head">
        <code>{name}</code>
        <Select
          label={`What ${name} may do`}
          value={tool.policy}
          options={policies}
          onChange={(policy) => attempt(call('mcp.setPolicy', { id, tool: name, policy }))}
        />
      </div>
      {tool.description && <p className="mcp-tool-words">{tool.description}</p>}
      {change && (
        <div className="mcp-change">
          <p className="page-caution">
            Its definition has changed since you last looked. Until you accept it, it always asks.
          </p>
          <Diff files={[diffOf(tool.fullName, change)]} />
          <Button onClick={() => attempt(call('mcp.acceptChange', { id, tool: name }))}>Accept the change</Button>
        </div>
      )}
      <Fold label="Arguments" of={name}>
        <Scroll label={`Arguments of ${name}`} className="mcp-schema">
          <pre>{tool.schema}</pre>
        </Scroll>
      </Fold>
    </li>
  )
}

const diffOf = (path: string, patch: string) => ({
  path,
  kind: 'update' as const,
  patch,
  added: patch.split('\n').filter((line) => line.startsWith('+')).length,
  removed: patch.split('\n').filter((line) => line.startsWith('-')).length,
})
