import { useState } from 'react'
import type { McpProject, McpServerInfo } from '../../src-preload/contract/mcp'
import { count, folderName, visible } from '../state/format'
import { useDeckhand } from '../state/store'
import { Button } from '../ui'
import { ProjectDialog } from './ProjectDialog'
import { decideProject } from './project-actions'
import { ServerCard } from './ServerCard'

const states: Record<McpProject['state'], { tone: string; words: string }> = {
  none: { tone: 'idle', words: 'no servers' },
  asks: { tone: 'wait', words: 'waiting for your decision' },
  later: { tone: 'wait', words: 'waiting for your decision' },
  trusted: { tone: 'good', words: 'trusted' },
  never: { tone: 'idle', words: 'never started' },
}

/** Folders that define servers of their own, and the user's decisions about them. */
export function Projects({ servers }: { servers: McpServerInfo[] }) {
  const projects = useDeckhand((state) => state.mcpProjects)
  if (projects.length === 0) return null
  return (
    <section className="ui-column page-section" aria-labelledby="mcp-projects">
      <h2 id="mcp-projects">From projects</h2>
      <ul className="ui-column page-list">
        {projects.map((project) => (
          <li key={project.folder} className="ui-column mcp-project">
            <ProjectCard project={project} />
            {servers
              .filter((server) => server.project === project.folder)
              .map((server) => (
                <ServerCard key={server.id} server={server} />
              ))}
          </li>
        ))}
      </ul>
    </section>
  )
}

function ProjectCard({ project }: { project: McpProject }) {
  const [open, setOpen] = useState(false)
  const { folder, state } = project
  const { tone, words } = states[state]
  const undecided = state === 'asks' || state === 'later'
  return (
    <article className="ui-column page-card" aria-label={folder} data-tone={undecided ? 'wait' : undefined}>
      <header className="ui-row page-card-head">
        <h3>{visible(folderName(folder))}</h3>
        <span className="page-dot" data-tone={tone} aria-hidden />
        <span className="page-state">{project.changed && undecided ? 'changed since you trusted it' : words}</span>
        <span className="ui-row page-card-tools">
          {undecided ? (
            <Button onClick={() => setOpen(true)}>Review</Button>
          ) : (
            <Button onClick={() => decideProject(project, 'ask')}>
              {state === 'never' ? 'Ask me again' : 'Revoke trust'}
            </Button>
          )}
        </span>
      </header>
      <p className="mcp-place">
        <code>{visible(folder)}</code>
        {project.servers.length > 0 && ` lists ${count(project.servers.length, 'server', 'servers')}: `}
        {project.servers.map(({ name }) => name).join(', ')}
      </p>
      {open && <ProjectDialog project={project} onClose={() => setOpen(false)} />}
    </article>
  )
}
