import { PanelLeftOpen } from 'lucide-react'
import { type ComponentType, type LazyExoticComponent, lazy, Suspense } from 'react'
import { toggleSidebar } from '../state/navigate'
import { useDeckhand } from '../state/store'
import type { Page } from '../state/view'
import { IconButton, Skeleton } from '../ui'

/** Pages that are not needed at startup are loaded when they are first opened. */
const pages: Record<Exclude<Page, 'chat'>, LazyExoticComponent<ComponentType>> = {
  inbox: lazy(() => import('../approval/Inbox').then((module) => ({ default: module.Inbox }))),
  schedule: lazy(() => import('../schedule/SchedulePage').then((module) => ({ default: module.SchedulePage }))),
  nodes: lazy(() => import('../nodes/NodesPage').then((module) => ({ default: module.NodesPage }))),
  agents: lazy(() => import('../agents/AgentsPage').then((module) => ({ default: module.AgentsPage }))),
  skills: lazy(() => import('../skills/SkillsPage').then((module) => ({ default: module.SkillsPage }))),
  memory: lazy(() => import('../memory/MemoryPage').then((module) => ({ default: module.MemoryPage }))),
  channels: lazy(() => import('../channels/ChannelsPage').then((module) => ({ default: module.ChannelsPage }))),
  mcp: lazy(() => import('../mcp/McpPage').then((module) => ({ default: module.McpPage }))),
  rules: lazy(() => import('../approval/RulesPage').then((module) => ({ default: module.RulesPage }))),
  changes: lazy(() => import('../receipts/ChangesPage').then((module) => ({ default: module.ChangesPage }))),
  replay: lazy(() => import('../replay/ReplayPage').then((module) => ({ default: module.ReplayPage }))),
  usage: lazy(() => import('../usage/UsagePage').then((module) => ({ default: module.UsagePage }))),
  import: lazy(() => import('../moving-in/ImportPage').then((module) => ({ default: module.ImportPage }))),
  settings: lazy(() => import('../settings/SettingsPage').then((module) => ({ default: module.SettingsPage }))),
}

export function MainPage({ page }: { page: Exclude<Page, 'chat'> }) {
  const sidebarOpen = useDeckhand((state) => state.sidebarOpen)
  const Content = pages[page]
  return (
    <main className="layout-page" id="main" tabIndex={-1}>
      {!sidebarOpen && (
        <div className="layout-page-open">
          <IconButton
            label="Show sessions"
            shortcut="toggle-sidebar"
            icon={<PanelLeftOpen size={16} />}
            onClick={toggleSidebar}
          />
        </div>
      )}
      <Suspense fallback={<Skeleton rows={5} />}>
        <Content />
      </Suspense>
    </main>
  )
}
