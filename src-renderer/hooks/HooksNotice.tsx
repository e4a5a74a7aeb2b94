import '../mcp/project.css'
import { Webhook } from 'lucide-react'
import { useEffect, useState } from 'react'
import type { ProjectHooks } from '../../src-preload/contract/hooks'
import { call } from '../state/bridge'
import { count, visible } from '../state/format'
import { load } from '../state/load'
import { useDeckhand } from '../state/store'
import { attempt } from '../state/toasts'
import { Button, Dialog } from '../ui'

type Verdict = 'trust' | 'later' | 'never'

const decide = ({ folder, hash }: ProjectHooks, verdict: Verdict): void =>
  void attempt(call('hooks.decide', { folder, hash, verdict }))

/** Says that the folder of a session brings programs to be run as hooks. Until the user agrees, none runs. */
export function HooksNotice({ sessionId }: { sessionId: string }) {
  const folder = useDeckhand((state) => state.sessions[sessionId]?.workspace)
  const status = useDeckhand((state) => state.sessions[sessionId]?.status)
  const project = useDeckhand((state) => (folder === undefined ? undefined : state.hooks[folder]))
  const [open, setOpen] = useState(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another folder, and a turn that may have changed it
  useEffect(() => void attempt(load('hooks.get', { sessionId })), [sessionId, folder, status])

  if (project?.state !== 'asks') return null
  const hooks = count(project.hooks.length, 'hook', 'hooks')
  return (
    <div className="mcp-notice" role="status">
      <Webhook size={14} aria-hidden />
      <span>
        {project.changed
          ? 'The hooks of this folder have changed since you trusted them. They are off.'
          : `This folder brings ${hooks}: programs to be run while the agent works. None runs unless you trust it.`}
      </span>
      <Button onClick={() => setOpen(true)}>Review</Button>
      <Button kind="quiet" onClick={() => decide(project, 'later')}>
        Not now
      </Button>
      {open && <HooksDialog project={project} onClose={() => setOpen(false)} />}
    </div>
  )
}

/** What a folder wants to run, word for word, and whether it may. */
function HooksDialog({ project, onClose }: { project: ProjectHooks; onClose: () => void }) {
  const answer = (verdict: Verdict) => {
    onClose()
    decide(project, verdict)
  }
  return (
    <Dialog
      open
      onClose={onClose}
      title="Trust the hooks of this folder?"
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
          Hooks run with your rights, outside the sandbox. They can refuse what the agent does, but never allow it. You
          are asked again when these words change, but not when the programs that they name do.
        </p>
      </div>
    </Dialog>
  )
}
