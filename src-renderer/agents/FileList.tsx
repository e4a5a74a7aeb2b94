import { FilePlus2 } from 'lucide-react'
import { useState } from 'react'
import type { AgentFile } from '../../src-preload/contract/agents'
import { bytes } from '../state/format'
import { useDeckhand } from '../state/store'
import { Button } from '../ui'
import { draftKey, groupFiles } from './agent-words'
import { NewFile } from './NewFile'

interface FileListProps {
  agentId: string
  files: AgentFile[]
  path: string
  onChoose: (path: string) => void
}

/** An agent's own files; those with unsaved changes are marked. */
export function FileList({ agentId, files, path, onChoose }: FileListProps) {
  const [naming, setNaming] = useState(false)
  return (
    <nav className="agents-files" aria-label="Files">
      {groupFiles(files).map((group) => (
        <section key={group.label} aria-label={group.label}>
          <h2>{group.label}</h2>
          <ul>
            {group.files.map((file) => (
              <li key={file.path}>
                <Row
                  file={file}
                  draft={draftKey(agentId, file.path)}
                  current={file.path === path}
                  onChoose={() => onChoose(file.path)}
                />
              </li>
            ))}
          </ul>
        </section>
      ))}
      <Button kind="quiet" icon={<FilePlus2 size={14} />} onClick={() => setNaming(true)}>
        New file…
      </Button>
      {naming && <NewFile onNamed={onChoose} onClose={() => setNaming(false)} />}
    </nav>
  )
}

interface RowProps {
  file: AgentFile
  draft: string
  current: boolean
  onChoose: () => void
}

function Row({ file, draft, current, onChoose }: RowProps) {
  const unsaved = useDeckhand((state) => state.fileDrafts[draft] !== undefined)
  const name = file.path.replace(/^(memory|skills)\//, '')
  return (
    <button
      type="button"
      className="agents-file"
      data-missing={file.exists ? undefined : true}
      aria-current={current ? 'true' : undefined}
      title={[file.path, file.purpose, file.exists ? bytes(file.size) : 'Empty'].filter(Boolean).join('\n')}
      onClick={onChoose}
    >
      <span>{name}</span>
      {!file.exists && <span className="sr-only">, empty</span>}
      {unsaved && <span className="agents-unsaved" role="img" aria-label="not saved" />}
    </button>
  )
}
