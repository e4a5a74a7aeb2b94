import type { ProcessInfo } from '../../../src-preload/contract/processes'
import type { ProcessTable } from '../../nodes/process-table'
import type { ShellNode } from '../../nodes/shell/shell-node'
import { paneOf } from '../../tools/terminals/panes'
import { isRunning } from '../../tools/terminals/process-control'
import type { ToolContext } from '../../tools/tool'

/**
 * Shows the pane that agent and user share as a terminal of the deck: opened once for a session, and owned by the user,
 * so that they watch and type as if attached to it. `null` if it cannot be shown; the pane can be used all the same.
 */
export async function viewPane(
  table: ProcessTable,
  place: ShellNode,
  { sessionId, workspace }: ToolContext,
): Promise<ProcessInfo | null> {
  const pane = paneOf(place, workspace)
  const command = `tmux attach -t ${pane.session}`
  const title = `${place.label}: shared terminal`
  const open = table.list(sessionId).find((row) => row.command === command && row.title === title && isRunning(row))
  if (open) return open
  try {
    const argv = await pane.attach()
    return await table.start({
      ...{ sessionId, callId: null, command, title, argv, cwd: workspace, farTerminal: pane.terminal() },
      background: false,
      byUser: true,
    })
  } catch {
    // What prevents showing it will also make the command fail, and that is reported.
    return null
  }
}
