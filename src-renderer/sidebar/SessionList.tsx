import { Archive, ChevronRight, Folder, Pin, Plus } from 'lucide-react'
import { type ReactNode, useMemo, useState } from 'react'
import type { Session } from '../../src-preload/contract/sessions'
import { useExpanded } from '../chat/use-expanded'
import { visible } from '../state/format'
import { newSessionIn } from '../state/session-actions'
import { folderLabels, groupByFolder, sortedSessions } from '../state/sessions'
import { useDeckhand } from '../state/store'
import { IconButton } from '../ui'
import { SessionRow } from './SessionRow'

/** How many sessions of a folder are shown at first; the rest on request. */
const shownAtFirst = 8

/** All sessions: pinned ones, then by folder, then archived ones. */
export function SessionList() {
  const sessions = useDeckhand((state) => state.sessions)
  const { pinned, folders, archived } = useMemo(() => groupByFolder(sortedSessions(sessions)), [sessions])
  const labels = useMemo(() => folderLabels(folders.map(({ folder }) => folder)), [folders])
  return (
    <>
      {pinned.length > 0 && <Group id="pinned" label="Pinned" icon={<Pin size={13} aria-hidden />} sessions={pinned} />}
      {folders.map(({ folder, sessions: list }) => (
        <Group
          key={folder}
          id={`folder-${folder}`}
          label={visible(labels.get(folder) ?? folder)}
          title={folder}
          icon={<Folder size={13} aria-hidden />}
          sessions={list}
          action={
            <IconButton
              light
              className="sidebar-group-add"
              label={`Start session in ${visible(labels.get(folder) ?? folder)}`}
              icon={<Plus size={14} />}
              onClick={() => newSessionIn(folder)}
            />
          }
        />
      ))}
      {archived.length > 0 && (
        <Group
          id="archived"
          label="Archived"
          icon={<Archive size={13} aria-hidden />}
          sessions={archived}
          initially={false}
        />
      )}
    </>
  )
}

interface GroupProps {
  id: string
  label: string
  title?: string
  icon: ReactNode
  sessions: Session[]
  action?: ReactNode
  initially?: boolean
}

function Group({ id, label, title, icon, sessions, action, initially = true }: GroupProps) {
  const [open, toggle] = useExpanded(`sidebar-${id}`, initially)
  const [all, setAll] = useState(false)
  const current = useDeckhand((state) => state.selectedId)
  const few = sessions.slice(0, shownAtFirst)
  const chosen = sessions.find((session) => session.id === current)
  const shown = all ? sessions : chosen && !few.includes(chosen) ? [...few, chosen] : few
  return (
    <section className="sidebar-group" aria-label={label}>
      <div className="sidebar-group-head">
        <h2>
          <button type="button" data-stop aria-expanded={open} title={title} onClick={toggle}>
            <ChevronRight className="sidebar-group-chevron" size={12} aria-hidden />
            {icon}
            <span className="ui-cut sidebar-group-name">{label}</span>
            {!open && <span className="sidebar-group-count">{sessions.length}</span>}
          </button>
        </h2>
        {action}
      </div>
      {open && (
        <ul className="sidebar-rows">
          {shown.map((session) => (
            <SessionRow key={session.id} session={session} />
          ))}
          {shown.length < sessions.length && (
            <li>
              <button type="button" className="sidebar-more" data-stop onClick={() => setAll(true)}>
                Show {sessions.length - shown.length} more
              </button>
            </li>
          )}
        </ul>
      )}
    </section>
  )
}
