import { FolderCog } from 'lucide-react'
import { useId, useState } from 'react'
import { useHooksNotice } from '../hooks/use-hooks-notice'
import { useInstructionsNotice } from '../instructions/use-instructions-notice'
import { useProjectNotice } from '../mcp/use-project-notice'
import { Button } from '../ui'
import type { FolderNotice } from './folder-notice'
import './folder-notices.css'

const inWords = new Intl.ListFormat('en')

/**
 * Shows what the session's folder wants to contribute. Several notices share one line that can be expanded, to leave
 * room for the chat.
 */
export function FolderNotices({ sessionId }: { sessionId: string }) {
  const all = [useProjectNotice(sessionId), useInstructionsNotice(sessionId), useHooksNotice(sessionId)]
  const notices = all.filter((notice) => notice !== null)
  const [first, second] = notices
  if (!first) return null
  if (second) return <Several notices={notices} />
  return (
    <div className={`folder-notice ${first.runs ? 'folder-notice-runs' : ''}`} role="status">
      <Row notice={first} />
    </div>
  )
}

function Several({ notices }: { notices: readonly FolderNotice[] }) {
  const [open, setOpen] = useState(false)
  const id = useId()
  const runs = notices.some((notice) => notice.runs)
  return (
    <div className={runs ? 'folder-notice-runs' : ''}>
      <div className="folder-notice" role="status">
        <FolderCog size={14} aria-hidden />
        <span>
          {`This folder includes ${inWords.format(notices.map(({ brief }) => brief))}.`}
          {runs && ' Nothing runs unless you trust it.'}
        </span>
        <Button aria-expanded={open} aria-controls={id} onClick={() => setOpen(!open)}>
          {open ? 'Hide' : 'Show'}
        </Button>
      </div>
      <ul className="folder-notice-list" id={id} hidden={!open} aria-label="What this folder includes">
        {notices.map((notice) => (
          <li key={notice.id} className="folder-notice">
            <Row notice={notice} />
          </li>
        ))}
      </ul>
    </div>
  )
}

function Row({ notice }: { notice: FolderNotice }) {
  return (
    <>
      {notice.icon}
      <span>{notice.words}</span>
      <div className="folder-notice-actions">{notice.actions}</div>
      {notice.dialog}
    </>
  )
}
