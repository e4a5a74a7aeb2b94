import type { MemoryFile } from '../../src-preload/contract/memory'
import { bytes, count } from '../state/format'

interface NoteListProps {
  files: MemoryFile[]
  path: string
  onChoose: (path: string) => void
}

/** MEMORY.md, whether or not it exists, and the notes of days and topics, the latest first. */
export function NoteList({ files, path, onChoose }: NoteListProps) {
  const notes = files.filter((file) => file.path !== 'MEMORY.md')
  const longLived = files.find((file) => file.path === 'MEMORY.md')
  return (
    <nav className="agents-side agents-files" aria-label="Notes">
      <section aria-label="Always included">
        <h2>Always included</h2>
        <Row path="MEMORY.md" file={longLived} current={path === 'MEMORY.md'} onChoose={onChoose} />
      </section>
      {notes.length > 0 && (
        <section aria-label="Notes">
          <h2>Notes</h2>
          <ul>
            {notes.map((file) => (
              <li key={file.path}>
                <Row path={file.path} file={file} current={path === file.path} onChoose={onChoose} />
              </li>
            ))}
          </ul>
        </section>
      )}
    </nav>
  )
}

interface RowProps {
  path: string
  file: MemoryFile | undefined
  current: boolean
  onChoose: (path: string) => void
}

function Row({ path, file, current, onChoose }: RowProps) {
  return (
    <button
      type="button"
      className="agents-file"
      data-missing={file ? undefined : true}
      aria-current={current ? 'true' : undefined}
      title={file ? `${path}\n${count(file.passages, 'passage')}, ${bytes(file.size)}` : `${path}\nEmpty`}
      onClick={() => onChoose(path)}
    >
      <span>{path.replace(/^memory\//, '')}</span>
      {file && <small className="ui-quiet memory-count">{file.passages}</small>}
    </button>
  )
}
