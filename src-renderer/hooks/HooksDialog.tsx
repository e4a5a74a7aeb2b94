import type { ProjectHooks } from '../../src-preload/contract/hooks'
import { TrustDialog } from '../folder-notices/TrustDialog'
import { visible } from '../state/format'
import { decideHooks } from './hook-actions'

/** Shows the hooks that a folder wants to run, verbatim, and asks whether they may. */
export function HooksDialog({ project, onClose }: { project: ProjectHooks; onClose: () => void }) {
  return (
    <TrustDialog
      title="Trust this folder’s hooks?"
      file={`${project.folder}/.claude/settings.json`}
      trust="Trust"
      hint="Hooks run with your permissions, outside the sandbox. They can refuse what the agent does, but never allow it. You are asked again if these lines change, but not if the programs themselves change."
      onAnswer={(verdict) => decideHooks(project, verdict)}
      onClose={onClose}
    >
      <ul className="ui-column page-list trust-list">
        {project.hooks.map((hook) => (
          <li key={`${hook.event} ${hook.matcher} ${hook.command}`}>
            <strong>{hook.event}</strong>
            {hook.matcher && <code>{visible(hook.matcher)}</code>}
            <code className="trust-command">{visible(hook.command)}</code>
          </li>
        ))}
      </ul>
      {project.warnings.map((warning) => (
        <p key={warning} className="page-hint">
          {visible(warning)}
        </p>
      ))}
    </TrustDialog>
  )
}
