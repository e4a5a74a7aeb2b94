import { Plug } from 'lucide-react'
import type { FolderNotice } from '../folder-notices/folder-notice'
import { useLookedAtFolder, useTrustOffer } from '../folder-notices/use-trust-notice'
import { lazily } from '../layout/lazily'
import { count } from '../state/format'
import { useDeckhand } from '../state/store'
import { decideProject, lookAtProject } from './project-actions'

const ProjectDialog = lazily(async () => (await import('./ProjectDialog')).ProjectDialog)

/** The notice that the session's folder wants to start programs. None runs until the user agrees. */
export function useProjectNotice(sessionId: string): FolderNotice | null {
  const folder = useLookedAtFolder(sessionId, lookAtProject)
  const project = useDeckhand((state) => state.mcpProjects.find((each) => each.folder === folder))
  const offer = useTrustOffer()

  if (project?.state !== 'asks') return null
  const servers = count(project.servers.length, 'MCP server', 'MCP servers')
  return {
    id: 'mcp',
    icon: <Plug size={14} aria-hidden />,
    brief: project.changed ? 'changed MCP servers' : servers,
    words: project.changed
      ? 'This folder’s .mcp.json has changed since you trusted it. Its servers are off.'
      : `This folder lists ${servers} in .mcp.json. Nothing runs unless you trust it.`,
    ...offer(
      (close) => <ProjectDialog project={project} onClose={close} />,
      () => decideProject(project, 'later'),
    ),
  }
}
