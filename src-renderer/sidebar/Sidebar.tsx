import {
  BookOpen,
  Bot,
  CalendarClock,
  Inbox,
  MessagesSquare,
  Network,
  PanelLeftClose,
  Plug,
  Plus,
  Settings,
  ShieldCheck,
  Sparkles,
} from 'lucide-react'
import { type KeyboardEvent, type ReactNode, useState } from 'react'
import type { McpServerInfo } from '../../src-preload/contract/mcp'
import { newSession, showPage, toggleSidebar } from '../state/actions'
import type { ShortcutId } from '../state/shortcuts'
import { useDeckhand } from '../state/store'
import type { Page } from '../state/view'
import { Badge, IconButton, Kbd } from '../ui'
import { SearchResults } from './SearchResults'
import { SessionList } from './SessionList'
import './sidebar.css'

export function Sidebar() {
  const [query, setQuery] = useState('')
  const waiting = useDeckhand((state) => Object.keys(state.questions).length)
  return (
    <nav className="sidebar" aria-label="Sessions" onKeyDown={walkRows}>
      <header className="sidebar-head">
        <span className="sidebar-name">Deckhand</span>
        <IconButton
          label="Hide sessions"
          shortcut="toggle-sidebar"
          icon={<PanelLeftClose size={16} />}
          onClick={toggleSidebar}
        />
        <IconButton label="New session" shortcut="new-session" icon={<Plus size={16} />} onClick={newSession} />
      </header>
      <div className="sidebar-search">
        <input
          className="ui-input"
          data-search
          type="search"
          placeholder="Search"
          aria-label="Search all sessions"
          value={query}
          onChange={(event) => setQuery(event.target.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Escape' || !query) return
            event.preventDefault()
            setQuery('')
          }}
        />
        {!query && <Kbd id="search" />}
      </div>
      <div className="sidebar-list">{query.trim() ? <SearchResults query={query.trim()} /> : <SessionList />}</div>
      <footer className="sidebar-foot">
        <PageLink page="inbox" icon={<Inbox size={16} />} shortcut="inbox" label="Inbox">
          {waiting > 0 && (
            <Badge tone="wait" label={`, ${waiting} waiting`}>
              {waiting}
            </Badge>
          )}
        </PageLink>
        <PageLink page="schedule" icon={<CalendarClock size={16} />} label="Schedule" />
        <PageIcons />
      </footer>
    </nav>
  )
}

interface PageLinkProps {
  page: Page
  icon: ReactNode
  label: string
  shortcut?: ShortcutId
  children?: ReactNode
}

function PageLink({ page, icon, label, shortcut, children }: PageLinkProps) {
  const current = useDeckhand((state) => state.page === page)
  return (
    <button
      type="button"
      className="sidebar-link"
      aria-current={current ? 'page' : undefined}
      onClick={() => showPage(page)}
    >
      {icon}
      <span className="sidebar-link-label">{label}</span>
      {children || (shortcut && <Kbd id={shortcut} />)}
    </button>
  )
}

/** A sign-in is due, or a tool is not what it was. */
const waitsForUser = ({ state, tools }: McpServerInfo) => state === 'sign-in' || tools.some(({ change }) => change)

/** What is opened now and then, in one row, so that the sessions keep their room. */
function PageIcons() {
  const strangers = useDeckhand((state) => (state.channels?.pending.length ?? 0) > 0)
  const offers = useDeckhand((state) => state.nodes?.some((node) => node.newCapabilities.length > 0) ?? false)
  const servers = useDeckhand((state) => state.mcp?.some(waitsForUser) ?? false)
  return (
    <div className="sidebar-pages">
      <PageIcon page="nodes" icon={<Network size={16} />} label="Nodes" waits={offers} />
      <PageIcon page="agents" icon={<Bot size={16} />} label="Agents" />
      <PageIcon page="skills" icon={<Sparkles size={16} />} label="Skills" />
      <PageIcon page="memory" icon={<BookOpen size={16} />} label="Memory" />
      <PageIcon page="channels" icon={<MessagesSquare size={16} />} label="Channels" waits={strangers} />
      <PageIcon page="mcp" icon={<Plug size={16} />} label="MCP servers" waits={servers} />
      <PageIcon page="rules" icon={<ShieldCheck size={16} />} label="Rules" />
      <PageIcon page="settings" icon={<Settings size={16} />} label="Settings" shortcut="settings" />
    </div>
  )
}

interface PageIconProps {
  page: Page
  icon: ReactNode
  label: string
  shortcut?: ShortcutId
  /** Something on it waits for the user. */
  waits?: boolean
}

function PageIcon({ page, icon, label, shortcut, waits = false }: PageIconProps) {
  const current = useDeckhand((state) => state.page === page)
  return (
    <IconButton
      className="sidebar-page"
      label={waits ? `${label}, something waits for you` : label}
      side="top"
      icon={icon}
      {...(shortcut ? { shortcut } : {})}
      aria-current={current ? 'page' : undefined}
      data-waits={waits || undefined}
      onClick={() => showPage(page)}
    />
  )
}

/** Up and down walk through the search box, the rows and the links below, as in any list. */
function walkRows(event: KeyboardEvent<HTMLElement>): void {
  if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
  const stops = [
    ...event.currentTarget.querySelectorAll<HTMLElement>('[data-search], [data-row], .sidebar-link, .sidebar-page'),
  ]
  const current = stops.indexOf(document.activeElement as HTMLElement)
  if (current < 0) return
  event.preventDefault()
  stops[current + (event.key === 'ArrowDown' ? 1 : -1)]?.focus()
}
