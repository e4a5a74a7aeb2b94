import { Globe, Pencil, RotateCw, SquareTerminal } from 'lucide-react'
import type { McpServerInfo, McpState } from '../../src-preload/contract/mcp'
import { Fold } from '../page/Fold'
import { RemoveButton } from '../page/RemoveButton'
import { call } from '../state/bridge'
import { attempt } from '../state/toasts'
import { Badge, IconButton, Switch } from '../ui'
import { ServerLog } from './ServerLog'
import { ServerTools } from './ServerTools'
import { SignIn } from './SignIn'
import { joinWords } from './server-draft'

const tones: Record<McpState, string> = {
  off: 'idle',
  starting: 'busy',
  ready: 'good',
  waiting: 'wait',
  failed: 'bad',
  'sign-in': 'wait',
  skipped: 'idle',
}
const states: Record<McpState, string> = {
  off: 'off',
  starting: 'starting',
  ready: 'ready',
  waiting: 'retrying soon',
  failed: 'not working',
  'sign-in': 'sign-in needed',
  skipped: 'skipped',
}

/** States that need no explanation, or already have one. */
const quiet = new Set<McpState>(['ready', 'skipped', 'sign-in'])

/**
 * One server: whether it runs, what it offers, and what its tools may do. A project's server is changed in its file.
 */
export function ServerCard({ server, onEdit }: { server: McpServerInfo; onEdit?: () => void }) {
  const { id, name, config, state, tools } = server
  const changed = tools.filter(({ change }) => change)
  const Icon = server.transport === 'http' ? Globe : SquareTerminal
  const words = config.command ? joinWords([config.command, ...(config.args ?? [])]) : undefined
  const place = server.transport === 'http' ? config.url : words

  return (
    <article
      className="ui-column page-card"
      aria-label={name}
      data-dim={!config.enabled || undefined}
      data-tone={changed.length > 0 || state === 'sign-in' ? 'wait' : undefined}
    >
      <header className="ui-row page-card-head">
        <Icon size={15} aria-hidden />
        <h3>{name}</h3>
        <span className="page-dot" data-tone={tones[state]} aria-hidden />
        <span className="page-state">{states[state]}</span>
        {server.protocol && <span className="page-state">{`MCP ${server.protocol}`}</span>}
        {server.restarts > 0 && <Badge>{`restarted ${server.restarts}×`}</Badge>}
        <span className="ui-row page-card-tools">
          <IconButton
            light
            label={`Restart ${name}`}
            icon={<RotateCw size={14} />}
            disabled={!config.enabled}
            onClick={() => attempt(call('mcp.restart', { id }))}
          />
          {onEdit && (
            <>
              <IconButton light label={`Edit ${name}`} icon={<Pencil size={14} />} onClick={onEdit} />
              <RemoveButton name={name} onRemove={() => attempt(call('mcp.remove', { id }))}>
                It is stopped, and its keys and permissions are deleted.
              </RemoveButton>
              <Switch
                label={`${name} is on`}
                checked={config.enabled}
                onChange={(enabled) => attempt(call('mcp.enable', { id, enabled }))}
              />
            </>
          )}
        </span>
      </header>
      {place && <code className="mcp-place">{place}</code>}
      {server.signIn && <SignIn server={server} />}
      {server.error && !quiet.has(state) && <p className="page-error">{server.error}</p>}
      {server.warnings.map((warning) => (
        <p key={warning} className="page-caution">
          {warning}
        </p>
      ))}
      {changed.length > 0 && (
        <p className="page-caution">
          {changed.length === 1 ? '1 tool has' : `${changed.length} tools have`} changed and will ask again.
        </p>
      )}
      {tools.length > 0 && (
        <Fold label={tools.length === 1 ? '1 tool' : `${tools.length} tools`} of={name} startOpen={changed.length > 0}>
          <ServerTools server={server} />
        </Fold>
      )}
      <Fold label="Log" of={name}>
        <ServerLog id={id} />
      </Fold>
    </article>
  )
}
