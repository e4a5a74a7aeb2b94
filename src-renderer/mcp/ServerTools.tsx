import type { McpPolicy, McpServerInfo, McpToolInfo } from '../../src-preload/contract/mcp'
import { Diff } from '../chat/Diff'
import { Fold } from '../page/Fold'
import { call } from '../state/bridge'
import { attempt } from '../state/toasts'
import { Button, Scroll } from '../ui'
import { Select } from '../ui/Select'

const policies: { value: McpPolicy; label: string; hint: string }[] = [
  { value: 'ask', label: 'Ask', hint: 'Asks each time, unless a rule applies' },
  { value: 'allow', label: 'Allow', hint: 'Runs without asking until its definition changes' },
  { value: 'deny', label: 'Deny', hint: 'Hidden from the agent' },
]

/** The tools of a server, and what each may do. */
export function ServerTools({ server }: { server: McpServerInfo }) {
  return (
    <>
      <p className="page-hint">
        {server.transport === 'http'
          ? 'Calls send their arguments to that URL. Results are treated as untrusted.'
          : 'Calls run inside that program, with your permissions on this machine. Results are treated as untrusted.'}
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
    <li className="ui-column mcp-tool" data-changed={change ? true : undefined}>
      <div className="ui-row mcp-tool-head">
        <code>{name}</code>
        <Select
          label={`Permission for ${name}`}
          value={tool.policy}
          options={policies}
          onChange={(policy) => attempt(call('mcp.setPolicy', { id, tool: name, policy }))}
        />
      </div>
      {tool.description && <p className="mcp-tool-words">{tool.description}</p>}
      {change && (
        <div className="ui-column mcp-change">
          <p className="page-caution">
            Its definition has changed since you last looked. It asks every time until you accept the change.
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
