import { Command } from 'cmdk'
import { useState } from 'react'
import type { McpResource } from '../../src-preload/contract/mcp'
import { useAsk } from '../page/use-ask'
import { call } from '../state/bridge'
import { bytes, visible } from '../state/format'
import { focusComposer } from '../state/navigate'
import { attempt } from '../state/toasts'
import { Dialog } from '../ui'
import { addAttachments } from './attachments'
import '../palette/palette.css'

/** The resources of the session's MCP servers; a chosen one is attached to the next message. */
export function ResourceDialog({ sessionId, onClose }: { sessionId: string; onClose: () => void }) {
  const [resources, setResources] = useState<McpResource[]>([])
  const asked = useAsk(() => call('mcp.resources', { sessionId }).then(setResources), sessionId)
  const choose = ({ server, uri }: McpResource) => {
    onClose()
    attempt(
      call('mcp.readResource', { sessionId, server, uri }).then((files) => {
        addAttachments(sessionId, files)
        focusComposer()
      }),
    )
  }
  const servers = [...new Set(resources.map(({ server }) => server))]
  const none = asked.busy ? 'Asking the servers…' : asked.problem || 'No server has anything to attach.'
  return (
    <Dialog open onClose={onClose} title="Attach a resource" bare>
      <Command label="Attach a resource" loop className="palette">
        <Command.Input className="palette-input" placeholder="Find a resource…" autoFocus />
        <Command.List className="palette-list">
          <Command.Empty className="palette-none">
            {resources.length > 0 ? 'Nothing of that name.' : none}
          </Command.Empty>
          {servers.map((server) => (
            <Command.Group key={server} heading={server}>
              {resources
                .filter((resource) => resource.server === server)
                .map((resource) => (
                  <Command.Item
                    key={resource.uri}
                    value={`${resource.server} ${resource.name} ${resource.uri}`}
                    onSelect={() => choose(resource)}
                    className="palette-item"
                  >
                    <span className="ui-cut palette-label" title={visible(resource.uri)}>
                      {visible(resource.name)}
                      {resource.description && <span className="palette-hint"> {visible(resource.description)}</span>}
                    </span>
                    <span className="palette-hint">
                      {resource.size === undefined ? resource.mimeType : bytes(resource.size)}
                    </span>
                  </Command.Item>
                ))}
            </Command.Group>
          ))}
        </Command.List>
      </Command>
    </Dialog>
  )
}
