import { ExternalLink, PanelRight } from 'lucide-react'
import { useEffect, useState } from 'react'
import type { ProcessInfo } from '../../src-preload/contract/processes'
import { call } from '../state/bridge'
import { openLink } from '../state/desktop'
import { attempt } from '../state/toasts'
import { Menu, MenuItem } from '../ui'

const everyMs = 4000

/** The ports that a running process listens on, each with ways to open it. */
export function PortChips({ process }: { process: ProcessInfo }) {
  const ports = usePorts(process)
  return ports.map((port) => (
    <Menu
      key={port}
      align="start"
      trigger={
        <button type="button" className="terminal-port" aria-label={`Port ${port}`}>
          :{port}
        </button>
      }
    >
      <MenuItem
        icon={<PanelRight size={14} />}
        onSelect={() => attempt(call('preview.open', { sessionId: process.sessionId, url: addressOf(port) }))}
      >
        Preview beside the chat
      </MenuItem>
      <MenuItem icon={<ExternalLink size={14} />} onSelect={() => openLink(addressOf(port))}>
        Open in the browser
      </MenuItem>
    </Menu>
  ))
}

const addressOf = (port: number): string => `http://localhost:${port}/`

/** Checked at intervals while the pane is shown: no event reports that a port was opened. */
function usePorts({ id, sessionId, status, node }: ProcessInfo): number[] {
  const [ports, setPorts] = useState<number[]>([])
  const looks = status === 'running' && node === 'local'
  useEffect(() => {
    if (!looks) return setPorts([])
    let open = true
    const look = () => {
      if (document.hidden) return
      call('process.ports', { sessionId }).then(
        (all) => {
          const own = all.filter(({ processId }) => processId === id).map(({ port }) => port)
          if (open) setPorts((before) => (before.join() === own.join() ? before : own))
        },
        // The session may have been deleted meanwhile.
        (error: Error) => console.warn(`No ports: ${error.message}`),
      )
    }
    look()
    const timer = setInterval(look, everyMs)
    return () => {
      open = false
      clearInterval(timer)
    }
  }, [id, looks, sessionId])
  return ports
}
