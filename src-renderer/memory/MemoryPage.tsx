import '../agents/agents.css'
import './memory.css'
import { useState } from 'react'
import type { MemoryState } from '../../src-preload/contract/memory'
import { FileEditor } from '../agents/FileEditor'
import { Choice } from '../page/Choice'
import { Loaded } from '../page/Loaded'
import { Page } from '../page/Page'
import { useAsk } from '../page/use-ask'
import { call } from '../state/bridge'
import { count } from '../state/format'
import { load } from '../state/load'
import { useDeckhand } from '../state/store'
import { SearchField } from '../ui'
import { Select } from '../ui/Select'
import { Found } from './Found'
import { NoteList } from './NoteList'
import { Recalls } from './Recalls'
import { useDebounced } from './use-debounced'

type Side = 'notes' | 'recalls'

const sides = [
  { value: 'notes', label: 'Notes' },
  { value: 'recalls', label: 'Recalled' },
] as const satisfies readonly { value: Side; label: string }[]

const readAgents = () => load('agent.list', {})

/** An agent's memory: its notes to read and edit, the search that it uses itself, and what it recalled when. */
export function MemoryPage() {
  const agents = useDeckhand((state) => state.agents)
  const changes = useDeckhand((state) => state.memoryChanges)
  const [agentId, setAgentId] = useState('main')
  const [state, setState] = useState<MemoryState | null>(null)
  const [side, setSide] = useState<Side>('notes')
  const [path, setPath] = useState('MEMORY.md')
  const [query, setQuery] = useState('')
  const asked = useDebounced(query.trim())
  const agentsAsked = useAsk(readAgents)
  const stateAsked = useAsk(() => call('memory.state', { agentId }).then(setState), `${agentId} ${changes}`)
  const open = (next: string) => {
    setPath(next)
    setSide('notes')
    setQuery('')
  }
  const choose = (id: string) => {
    setAgentId(id)
    setState(null)
    setPath('MEMORY.md')
  }

  return (
    <Page
      kind="full"
      title="Memory"
      hint={state ? stateWords(state) : 'What an agent has noted, and what it looked up.'}
      actions={
        <>
          {(agents?.length ?? 0) > 1 && (
            <Select
              label="Agent"
              value={agentId}
              options={(agents ?? []).map(({ id, name }) => ({ value: id, label: name }))}
              onChange={choose}
            />
          )}
          <Choice label="What to show" value={side} options={sides} onChange={setSide} />
        </>
      }
    >
      <SearchField
        label="Search memory"
        placeholder="Ask in your own words"
        className="memory-search"
        value={query}
        onChange={setQuery}
      />
      <Loaded asked={agentsAsked.problem ? agentsAsked : stateAsked} ready={state !== null} what="The memory">
        {asked ? (
          <Found agentId={agentId} query={asked} onOpen={open} />
        ) : side === 'recalls' ? (
          <Recalls agentId={agentId} onOpen={open} />
        ) : (
          <div className="agents">
            <NoteList files={state?.files ?? []} path={path} onChoose={setPath} />
            <div className="ui-column agents-main">
              <FileEditor
                key={`${agentId}/${path}`}
                agentId={agentId}
                path={path}
                purpose={path === 'MEMORY.md' ? 'Lasting facts. The agent reads this at the start of every chat.' : ''}
                onDeleted={() => setPath('MEMORY.md')}
              />
            </div>
          </div>
        )}
      </Loaded>
    </Page>
  )
}

function stateWords({ files, passages, pending, byWordsOnly }: MemoryState): string {
  if (passages === 0) return 'No notes yet. Notes that you or an agent write here can be searched by meaning.'
  const waiting = pending > 0 ? ` ${count(pending, 'passage')} still being indexed.` : ''
  const held = `${count(passages, 'passage')} in ${count(files.length, 'note')}`
  return byWordsOnly ? `${held}. ${byWordsOnly}` : `${held}, searchable by meaning.${waiting}`
}
