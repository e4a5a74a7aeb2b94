import type { McpProject, McpProjectServer } from '../../src-preload/contract/mcp'
import { visible } from '../state/format'
import { joinWords } from './server-draft'

/** What a project's file would start. */
export function ProjectServers({ project }: { project: McpProject }) {
  return (
    <>
      <ul className="ui-column page-list trust-list" aria-label="Servers listed by this folder">
        {project.servers.map((server) => (
          <ProjectServer key={server.name} server={server} folder={project.folder} />
        ))}
      </ul>
      {project.warnings.map((warning) => (
        <p key={warning} className="page-caution">
          {visible(warning)}
        </p>
      ))}
    </>
  )
}

function ProjectServer({ server, folder }: { server: McpProjectServer; folder: string }) {
  const { name, argv, url, cwd, env, headers, reads } = server
  return (
    <li>
      <strong>{name}</strong>
      <span className="page-hint">{argv ? 'runs' : 'connects to'}</span>
      <code className="trust-command">{visible(argv ? joinWords(argv) : (url ?? ''))}</code>
      <dl className="page-facts">
        {cwd && cwd !== folder && <Fact term="In" words={[cwd]} />}
        {env.length > 0 && <Fact term="With" words={env} />}
        {headers.length > 0 && <Fact term="Sends" words={headers} />}
        {reads.length > 0 && <Fact term="Receives your variables" words={reads} />}
      </dl>
    </li>
  )
}

function Fact({ term, words }: { term: string; words: string[] }) {
  return (
    <div>
      <dt>{term}</dt>
      <dd className="page-mono">{words.map(visible).join('  ')}</dd>
    </div>
  )
}
