import { Archive, ArchiveRestore, Braces, Ellipsis, FileText, Pencil, Pin, PinOff, Trash2 } from 'lucide-react'
import { memo, useState } from 'react'
import type { Session } from '../../src-preload/contract/sessions'
import { count, exactTime, relativeTime } from '../state/format'
import { selectSession } from '../state/navigate'
import { archiveSession, deleteSession, exportSession, pinSession, renameSession } from '../state/session-actions'
import { type SessionMark, sessionMark } from '../state/sessions'
import { useDeckhand } from '../state/store'
import { toast } from '../state/toasts'
import { Badge, hoverTitle, IconButton, Menu, MenuItem, MenuSeparator } from '../ui'

export const SessionRow = memo(function SessionRow({ session }: { session: Session }) {
  const [renaming, setRenaming] = useState(false)
  const current = useDeckhand((state) => state.page === 'chat' && state.selectedId === session.id)
  const mark = useDeckhand((state) => sessionMark(state, session.id))
  const title = session.title || 'New session'
  if (renaming) return <RenameRow session={session} onDone={() => setRenaming(false)} />
  return (
    <li className="sidebar-row" data-current={current || undefined} data-mark={mark ?? undefined}>
      <button
        type="button"
        className="sidebar-row-main"
        data-row
        aria-current={current ? 'true' : undefined}
        {...hoverTitle(
          () => `${title}\n${relativeTime(session.updatedAt, Date.now())} · ${exactTime(session.updatedAt)}`,
        )}
        onClick={() => selectSession(session.id)}
        onDoubleClick={() => setRenaming(true)}
        onKeyDown={(event) => {
          if (event.key === 'F2') setRenaming(true)
          if (event.key === 'Delete') deleteSession(session.id)
        }}
      >
        <span className="ui-cut sidebar-row-title">{title}</span>
        {mark === 'answer' ? (
          <Badge tone="wait" label={`, ${count(session.waiting, 'question')} waiting`}>
            {session.waiting}
          </Badge>
        ) : (
          mark && <span className="sidebar-mark" data-mark={mark} role="img" {...markWords(mark)} />
        )}
      </button>
      <Menu
        trigger={
          <IconButton light className="sidebar-row-menu" label={`More for ${title}`} icon={<Ellipsis size={15} />} />
        }
      >
        <MenuItem
          icon={session.pinned ? <PinOff size={14} /> : <Pin size={14} />}
          onSelect={() => pinSession(session.id, !session.pinned)}
        >
          {session.pinned ? 'Unpin' : 'Pin'}
        </MenuItem>
        <MenuItem icon={<Pencil size={14} />} onSelect={() => setTimeout(() => setRenaming(true))}>
          Rename
        </MenuItem>
        <MenuItem icon={<FileText size={14} />} onSelect={() => exportSession(session.id, 'markdown')}>
          Export as Markdown…
        </MenuItem>
        <MenuItem icon={<Braces size={14} />} onSelect={() => exportSession(session.id, 'json')}>
          Export as JSON…
        </MenuItem>
        <MenuSeparator />
        <MenuItem
          icon={session.archived ? <ArchiveRestore size={14} /> : <Archive size={14} />}
          onSelect={() => archiveSession(session.id, !session.archived)}
        >
          {session.archived ? 'Unarchive' : 'Archive'}
        </MenuItem>
        <MenuItem danger icon={<Trash2 size={14} />} onSelect={() => deleteSession(session.id)}>
          Delete
        </MenuItem>
      </Menu>
    </li>
  )
})

const words: Record<SessionMark, string> = {
  answer: 'needs an answer',
  input: 'needs input in a terminal',
  running: 'running',
  failed: 'failed',
  unread: 'unread',
}

const markWords = (mark: SessionMark) => ({ 'aria-label': words[mark], title: words[mark] })

const longestTitle = 200

function RenameRow({ session, onDone }: { session: Session; onDone: () => void }) {
  const finish = (title: string) => {
    if (title.trim().length > longestTitle) {
      toast({ kind: 'error', text: `Use at most ${longestTitle} characters.` })
      return
    }
    if (title.trim() && title.trim() !== session.title) renameSession(session.id, title.trim())
    onDone()
  }
  return (
    <li className="sidebar-row">
      <input
        className="ui-input sidebar-rename"
        aria-label="Title"
        defaultValue={session.title}
        ref={(input) => input?.select()}
        onBlur={(event) => finish(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') event.currentTarget.value = session.title
          if (event.key !== 'Escape' && event.key !== 'Enter') return
          event.preventDefault()
          event.currentTarget.blur()
        }}
      />
    </li>
  )
}
