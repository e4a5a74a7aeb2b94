import { Plug } from 'lucide-react'
import { Suspense, useEffect, useState } from 'react'
import type { FolderNotice } from '../folder-notices/folder-notice'
import { lazily } from '../layout/lazily'
import { count } from '../state/format'
import { useDeckhand } from '../state/store'
import { Button } from '../ui'
import { decideProject, lookAtProject } from './project-actions'

const ProjectDialog = lazily(async () => (await import('./ProjectDialog')).ProjectDialog)

/** That the folder of a session wants to start programs. Until the user agrees to it, none runs. */
export function useProjectNotice(sessionId: string): FolderNotice | null {
  const folder = useDeckhand((state) => state.sessions[sessionId]?.workspace)
  const status = useDeckhand((state) => state.sessions[sessionId]?.status)
  const project = useDeckhand((state) => state.mcpProjects.find((each) => each.folder === folder))
  const [open, setOpen] = useState(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another folder, and a turn that may have changed it
  useEffect(() => lookAtProject(sessionId), [sessionId, folder, status])

  if (project?.state !== 'asks') return null
  const servers = count(project.servers.length, 'MCP server', 'MCP servers')
  return {
    id: 'mcp',
    icon: <Plug size={14} aria-hidden />,
    brief: project.changed ? 'changed MCP servers' : servers,
    words: project.changed
      ? 'This folder’s .mcp.json has changed since you trusted it. Its servers are off.'
      : `This folder lists ${servers} in .mcp.json. Nothing runs unless you trust it.`,
    runs: true,
    actions: (
      <>
        <Button onClick={() => setOpen(true)}>Review</Button>
        <Button kind="quiet" onClick={() => decideProject(project, 'later')}>
          Not now
        </Button>
      </>
    ),
    dialog: open && (
      <Suspense>
        <ProjectDialog project={project} onClose={() => setOpen(false)} />
      </Suspense>
    ),
  }
}
