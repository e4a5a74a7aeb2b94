import type { McpProject } from '../../src-preload/contract/mcp'
import { TrustDialog } from '../folder-notices/TrustDialog'
import { ProjectServers } from './ProjectServers'
import { decideProject } from './project-actions'

/** Shows the MCP servers that a folder wants to start, verbatim, and asks whether they may. */
export function ProjectDialog({ project, onClose }: { project: McpProject; onClose: () => void }) {
  return (
    <TrustDialog
      title="Trust this folder’s MCP servers?"
      file={`${project.folder}/.mcp.json`}
      trust="Trust and start"
      hint="These programs run with your permissions, outside the sandbox, whenever a session in this folder is open. You are asked again if this file changes, but not if the programs themselves change."
      onAnswer={(verdict) => decideProject(project, verdict)}
      onClose={onClose}
    >
      <ProjectServers project={project} />
    </TrustDialog>
  )
}
