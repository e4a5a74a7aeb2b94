import {
  BookOpen,
  Bot,
  CalendarClock,
  ChevronUp,
  Inbox,
  LayoutGrid,
  type LucideIcon,
  MessagesSquare,
  Network,
  PackageOpen,
  PanelLeftClose,
  Plug,
  Plus,
  Settings,
  ShieldCheck,
  Sparkles,
} from 'lucide-react'
import { type KeyboardEvent, type ReactNode, useState } from 'react'
import type { McpServerInfo } from '../../src-preload/contract/mcp'
import { showPage, toggleSidebar } from '../state/navigate'
import { newSession } from '../state/session-actions'
import { waitingCount } from '../state/sessions'
import type { ShortcutId } from '../state/shortcuts'
import { useDeckhand } from '../state/store'
import type { Page } from '../state/view'
import { Badge, IconButton, Kbd, Menu, MenuItem } from '../ui'
import { SearchResults } from './SearchResults'
import { SessionList } from './SessionList'
import './sidebar.css'

export function Sidebar() {
  const [query, setQuery] = useState('')
  const waiting = useDeckhand(waitingCount)
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
        <MorePages />
        <PageLink page="settings" icon={<Settings size={16} />} shortcut="settings" label="Settings" />
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

/** A sign-in is needed, or a tool has changed. */
const waitsForUser = ({ state, tools }: McpServerInfo) => state === 'sign-in' || tools.some(({ change }) => change)

/** Rarely used pages, in a menu, to leave room for the sessions. */
function MorePages() {
  const strangers = useDeckhand((state) => (state.channels?.pending.length ?? 0) > 0)
  const offers = useDeckhand((state) => state.nodes?.some((node) => node.newCapabilities.length > 0) ?? false)
  const servers = useDeckhand((state) => state.mcp?.some(waitsForUser) ?? false)
  const page = useDeckhand((state) => state.page)
  const waiting = new Set<Page>([
    ...(strangers ? ['channels' as const] : []),
    ...(offers ? ['nodes' as const] : []),
    ...(servers ? ['mcp' as const] : []),
  ])
  const current = pages.find((each) => each.page === page)
  return (
    <Menu
      side="top"
      trigger={
        <button type="button" className="sidebar-link" aria-current={current ? 'page' : undefined}>
          {current ? <current.icon size={16} aria-hidden /> : <LayoutGrid size={16} aria-hidden />}
          <span className="sidebar-link-label">{current ? `More: ${current.label}` : 'More'}</span>
          {waiting.size > 0 && <span className="sidebar-more-mark" role="img" aria-label="needs your attention" />}
          <ChevronUp size={14} aria-hidden />
        </button>
      }
    >
      {pages.map((each) => (
        <MenuItem
          key={each.page}
          icon={<each.icon size={14} />}
          onSelect={() => showPage(each.page)}
          {...(waiting.has(each.page) ? { hint: 'needs your attention' } : {})}
        >
          {each.label}
        </MenuItem>
      ))}
    </Menu>
  )
}

const pages: readonly { page: Page; label: string; icon: LucideIcon }[] = [
  { page: 'agents', label: 'Agents', icon: Bot },
  { page: 'skills', label: 'Skills', icon: Sparkles },
  { page: 'memory', label: 'Memory', icon: BookOpen },
  { page: 'mcp', label: 'MCP servers', icon: Plug },
  { page: 'channels', label: 'Channels', icon: MessagesSquare },
  { page: 'nodes', label: 'Nodes', icon: Network },
  { page: 'rules', label: 'Rules', icon: ShieldCheck },
  { page: 'import', label: 'Import', icon: PackageOpen },
]

/** The up and down keys move through the search box, the rows and the links below, as in any list. */
function walkRows(event: KeyboardEvent<HTMLElement>): void {
  if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
  const stops = [
    ...event.currentTarget.querySelectorAll<HTMLElement>('[data-search], [data-row], [data-stop], .sidebar-link'),
  ]
  const focused = document.activeElement
  const current = focused instanceof HTMLElement ? stops.indexOf(focused) : -1
  if (current < 0) return
  event.preventDefault()
  stops[current + (event.key === 'ArrowDown' ? 1 : -1)]?.focus()
}
