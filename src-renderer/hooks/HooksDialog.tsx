import '../mcp/project.css'
import type { ProjectHooks } from '../../src-preload/contract/hooks'
import { visible } from '../state/format'
import { Button, Dialog } from '../ui'
import { decideHooks, type HooksVerdict } from './hook-actions'

/** What a folder wants to run, word for word, and whether it may. */
export function HooksDialog({ project, onClose }: { project: ProjectHooks; onClose: () => void }) {
  const answer = (verdict: HooksVerdict) => {
    onClose()
    decideHooks(project, verdict)
  }
  return (
    <Dialog
      open
      onClose={onClose}
      title="Trust this folder’s hooks?"
      actions={
        <>
          <Button kind="quiet" onClick={() => answer('never')}>
            Never for this folder
          </Button>
          <Button onClick={() => answer('later')}>Not now</Button>
          <Button kind="primary" onClick={() => answer('trust')}>
            Trust
          </Button>
        </>
      }
    >
      <div className="mcp-project">
        <code className="mcp-place">{visible(project.folder)}/.claude/settings.json</code>
        <ul className="mcp-project-servers">
          {project.hooks.map((hook) => (
            <li key={`${hook.event} ${hook.matcher} ${hook.command}`}>
              <strong>{hook.event}</strong>
              {hook.matcher && <code>{visible(hook.matcher)}</code>}
              <code className="mcp-project-command">{visible(hook.command)}</code>
            </li>
          ))}
        </ul>
        {project.warnings.map((warning) => (
          <p key={warning} className="page-hint">
            {visible(warning)}
          </p>
        ))}
        <p className="page-hint">
          Hooks run with your permissions, outside the sandbox. They can refuse what the agent does, but never allow it.
          You are asked again if these lines change, but not if the programs themselves change.
        </p>
      </div>
    </Dialog>
  )
}
