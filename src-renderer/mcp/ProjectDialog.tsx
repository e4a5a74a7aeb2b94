import type { McpProject, McpProjectVerdict } from '../../src-preload/contract/mcp'
import { visible } from '../state/format'
import { Button, Dialog } from '../ui'
import { ProjectServers } from './ProjectServers'
import { decideProject } from './project-actions'

/** What a folder wants to start, word for word, and whether it may. */
export function ProjectDialog({ project, onClose }: { project: McpProject; onClose: () => void }) {
  const answer = (verdict: McpProjectVerdict) => {
    onClose()
    decideProject(project, verdict)
  }
  return (
    <Dialog
      open
      onClose={onClose}
      title="Trust this folder’s MCP servers?"
      actions={
        <>
          <Button kind="quiet" onClick={() => answer('never')}>
            Never for this folder
          </Button>
          <Button onClick={() => answer('later')}>Not now</Button>
          <Button kind="primary" onClick={() => answer('trust')}>
            Trust and start
          </Button>
        </>
      }
    >
      <div className="mcp-project">
        <code className="mcp-place">{visible(project.folder)}/.mcp.json</code>
        <ProjectServers project={project} />
        <p className="page-hint">
          These programs run with your permissions, outside the sandbox, whenever a session in this folder is open. You
          are asked again if this file changes, but not if the programs themselves change.
        </p>
      </div>
    </Dialog>
  )
}
