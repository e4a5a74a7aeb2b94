import './agents.css'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import type { AgentFile } from '../../src-preload/contract/agents'
import { Loaded } from '../page/Loaded'
import { Page } from '../page/Page'
import { useAsk } from '../page/use-ask'
import { call } from '../state/bridge'
import { count } from '../state/format'
import { load } from '../state/load'
import { useDeckhand } from '../state/store'
import { Button } from '../ui'
import { AddAgent } from './AddAgent'
import { AgentHead } from './AgentHead'
import { FileEditor } from './FileEditor'
import { FileList } from './FileList'

const readAgents = () => load('agent.list', {})

/** Each agent, and the files that define it. */
export function AgentsPage() {
  const agents = useDeckhand((state) => state.agents)
  const asked = useAsk(readAgents)
  const [chosen, setChosen] = useState('main')
  const [path, setPath] = useState('SOUL.md')
  const [adding, setAdding] = useState(false)
  const [files, setFiles] = useState<AgentFile[] | null>(null)
  const changes = useDeckhand((state) => state.agentChanges)
  const agent = agents?.find((entry) => entry.id === chosen) ?? agents?.[0]
  const agentId = agent?.id ?? 'main'
  const filesAsked = useAsk(() => call('agent.files', { id: agentId }).then(setFiles), `${agentId} ${changes}`)
  const choose = (id: string) => {
    setChosen(id)
    if (id !== agentId) setFiles(null)
    setPath('SOUL.md')
  }

  return (
    <Page
      kind="full"
      title="Agents"
      hint="Each agent has its own files that say who it is, what it knows and how it works. Agents read and update them."
      actions={
        <Button kind="primary" icon={<Plus size={14} />} onClick={() => setAdding(true)}>
          Add agent
        </Button>
      }
    >
      <Loaded asked={asked} ready={agents !== null} what="The agents">
        <div className="agents">
          <div className="agents-side">
            <ul className="agents-list" aria-label="Agents">
              {agents?.map((entry) => (
                <li key={entry.id}>
                  <button
                    type="button"
                    className="agents-row"
                    aria-current={entry.id === agent?.id ? 'true' : undefined}
                    onClick={() => choose(entry.id)}
                  >
                    <span>{entry.name}</span>
                    <small>
                      {entry.id}, {count(entry.sessions, 'session')}, {count(entry.skills, 'skill')}
                    </small>
                  </button>
                </li>
              ))}
            </ul>
            {agent && (
              <Loaded asked={filesAsked} ready={files !== null} what="The files" small>
                <FileList agentId={agent.id} files={files ?? []} path={path} onChoose={setPath} />
              </Loaded>
            )}
          </div>
          {agent && (
            <div className="ui-column agents-main">
              <AgentHead key={agent.id} agent={agent} onRemoved={() => choose('main')} />
              <FileEditor
                key={`${agent.id}/${path}`}
                agentId={agent.id}
                path={path}
                purpose={files?.find((file) => file.path === path)?.purpose ?? ''}
                onDeleted={() => setPath('SOUL.md')}
              />
            </div>
          )}
        </div>
        {adding && <AddAgent onAdded={choose} onClose={() => setAdding(false)} />}
      </Loaded>
    </Page>
  )
}
