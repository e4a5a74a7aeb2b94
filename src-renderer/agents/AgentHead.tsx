import { Ellipsis, FileText, MessageSquare, Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import type { AgentInfo } from '../../src-preload/contract/agents'
import { Confirm } from '../page/Confirm'
import { Loaded } from '../page/Loaded'
import { useAsk } from '../page/use-ask'
import { call } from '../state/bridge'
import { bytes } from '../state/format'
import { focusComposer, selectSession } from '../state/navigate'
import { newSessionWith } from '../state/session-actions'
import { attempt } from '../state/toasts'
import { Button, Dialog, IconButton, Menu, MenuItem, MenuSeparator } from '../ui'

/** The selected agent, and the actions that apply to it as a whole. */
export function AgentHead({ agent, onRemoved }: { agent: AgentInfo; onRemoved: () => void }) {
  const [open, setOpen] = useState<'prompt' | 'remove' | null>(null)
  const close = () => setOpen(null)
  const talk = () =>
    attempt(
      call('agent.openSession', { id: agent.id }).then((sessionId) => {
        selectSession(sessionId)
        focusComposer()
      }),
    )
  const remove = () =>
    attempt(
      call('agent.remove', { id: agent.id }).then(() => {
        onRemoved()
      }),
    )
  return (
    <header className="ui-row agents-head">
      <div className="page-words">
        <h2>{agent.name}</h2>
        <p className="page-hint" title={agent.folder}>
          {agent.folder}
        </p>
      </div>
      <div className="page-actions">
        <Button icon={<MessageSquare size={14} />} onClick={talk}>
          Main session
        </Button>
        <Button
          icon={<Plus size={14} />}
          aria-label={`New session with ${agent.name}`}
          onClick={() => newSessionWith(agent.id)}
        >
          New session
        </Button>
        <Menu align="end" trigger={<IconButton light label={`More for ${agent.name}`} icon={<Ellipsis size={15} />} />}>
          <MenuItem icon={<FileText size={14} />} onSelect={() => setOpen('prompt')}>
            System prompt
          </MenuItem>
          {agent.id !== 'main' && (
            <>
              <MenuSeparator />
              <MenuItem danger icon={<Trash2 size={14} />} onSelect={() => setOpen('remove')}>
                Remove…
              </MenuItem>
            </>
          )}
        </Menu>
      </div>
      <Dialog open={open === 'prompt'} onClose={close} title={`System prompt of ${agent.name}`} size="large">
        <Prompt agentId={agent.id} />
      </Dialog>
      <Confirm
        open={open === 'remove'}
        title={`Remove ${agent.name}?`}
        action="Remove"
        keep="Cancel"
        onClose={close}
        onConfirm={remove}
      >
        Its files are moved aside in the data folder and its sessions stay readable, but it no longer answers.
      </Confirm>
    </header>
  )
}

function Prompt({ agentId }: { agentId: string }) {
  const [prompt, setPrompt] = useState<string | null>(null)
  const asked = useAsk(() => call('agent.prompt', { id: agentId }).then(setPrompt), agentId)
  return (
    <Loaded asked={asked} ready={prompt !== null} what="The prompt">
      <p className="page-hint">{bytes(prompt?.length ?? 0)}, before anything else that is said.</p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <pre className="page-code agents-prompt" tabIndex={0}>
        {prompt}
      </pre>
    </Loaded>
  )
}
