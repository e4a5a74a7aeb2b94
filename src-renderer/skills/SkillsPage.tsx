import './skills.css'
import { FolderOpen, RefreshCw, Sparkles } from 'lucide-react'
import { useEffect, useState } from 'react'
import type { SkillInfo } from '../../src-preload/contract/skills'
import { Loaded } from '../page/Loaded'
import { Page } from '../page/Page'
import { useAsk } from '../page/use-ask'
import { call } from '../state/bridge'
import { load } from '../state/load'
import { useDeckhand } from '../state/store'
import { attempt } from '../state/toasts'
import { Button, Empty, IconButton, SearchField } from '../ui'
import { Select } from '../ui/Select'
import { SkillCard } from './SkillCard'
import { shownSkills } from './skill-words'

const reveal = (agentId: string, source: 'agent' | 'global') => attempt(call('skill.reveal', { agentId, source }))

/** The skills of an agent: whether each is offered, and if not, why. */
export function SkillsPage() {
  const agents = useDeckhand((state) => state.agents)
  const changes = useDeckhand((state) => state.skillChanges)
  const [agentId, setAgentId] = useState('main')
  const [skills, setSkills] = useState<SkillInfo[] | null>(null)
  const [filter, setFilter] = useState('')
  const workspace = useDeckhand((state) => state.sessions[state.selectedId ?? '']?.workspace)
  const place = { agentId, workspace }
  const asked = useAsk(() => call('skill.list', place).then(setSkills), `${agentId} ${workspace} ${changes}`)
  useEffect(() => {
    attempt(load('agent.list', {}))
  }, [])
  const shown = shownSkills(skills ?? [], filter)

  return (
    <Page
      title="Skills"
      hint="Instructions that the model reads when it needs them. Its prompt contains only their names and descriptions."
      actions={
        <>
          {agents && agents.length > 1 && (
            <Select
              label="Agent"
              value={agentId}
              options={agents.map((agent) => ({ value: agent.id, label: agent.name }))}
              onChange={setAgentId}
            />
          )}
          {skills && skills.length > 0 && (
            <SearchField label="Filter skills" placeholder="Filter" value={filter} onChange={setFilter} />
          )}
          <IconButton
            label="Refresh"
            icon={<RefreshCw size={15} />}
            onClick={() => attempt(call('skill.list', { ...place, fresh: true }).then(setSkills))}
          />
        </>
      }
    >
      <Loaded asked={asked} ready={skills !== null} what="The skills">
        {skills?.length === 0 && <Lesson agentId={agentId} />}
        {skills && skills.length > 0 && shown.length === 0 && (
          <Empty title="No matching skills">
            <Button onClick={() => setFilter('')}>Show all skills</Button>
          </Empty>
        )}
        <ul className="ui-column page-list" aria-label="Skills">
          {shown.map((skill) => (
            <li key={`${skill.source} ${skill.location}`}>
              <SkillCard skill={skill} agentId={agentId} workspace={workspace} />
            </li>
          ))}
        </ul>
        {skills && skills.length > 0 && (
          <div className="page-buttons">
            <Folders agentId={agentId} />
          </div>
        )}
      </Loaded>
    </Page>
  )
}

function Lesson({ agentId }: { agentId: string }) {
  return (
    <Empty icon={<Sparkles size={28} />} title="No skills yet">
      <p>
        A skill is a folder with a SKILL.md file: a name and a description at the top, then instructions. Put it in the
        shared folder or in this agent’s folder, and it appears here.
      </p>
      <div className="page-empty-actions">
        <Folders agentId={agentId} />
      </div>
    </Empty>
  )
}

function Folders({ agentId }: { agentId: string }) {
  return (
    <>
      <Button icon={<FolderOpen size={14} />} onClick={() => reveal(agentId, 'global')}>
        Open shared folder
      </Button>
      <Button icon={<FolderOpen size={14} />} onClick={() => reveal(agentId, 'agent')}>
        Open this agent’s folder
      </Button>
    </>
  )
}
