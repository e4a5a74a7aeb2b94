import { FileDiff, Folder, GitCompare, PanelLeftOpen, PanelRight, Rewind } from 'lucide-react'
import { Suspense } from 'react'
import { InstructionsChip } from '../instructions/InstructionsChip'
import { lazily } from '../layout/lazily'
import { count, folderName, visible } from '../state/format'
import { modeLabel } from '../state/modes'
import { showPage, toggleDeck, toggleSidebar } from '../state/navigate'
import { toggleReview } from '../state/review'
import { useDeckhand } from '../state/store'
import { Badge, IconButton } from '../ui'
import { AgentCage } from './AgentCage'

const WorktreeChip = lazily(async () => (await import('../worktrees/WorktreeChip')).WorktreeChip)

export function ChatHeader({ sessionId }: { sessionId: string }) {
  const session = useDeckhand((state) => state.sessions[sessionId])
  const sidebarOpen = useDeckhand((state) => state.sidebarOpen)
  const running = useDeckhand(
    (state) =>
      Object.values(state.processes).filter(
        (process) => process.sessionId === sessionId && (process.status === 'running' || process.status === 'survived'),
      ).length,
  )
  const reviewing = useDeckhand((state) => state.beside === 'review' && state.deckOpen)
  if (!session) return null
  return (
    <header className="ui-row chat-header">
      {!sidebarOpen && (
        <IconButton
          label="Show sessions"
          shortcut="toggle-sidebar"
          icon={<PanelLeftOpen size={16} />}
          onClick={toggleSidebar}
        />
      )}
      <h1 className="ui-cut chat-title" title={session.title}>
        {session.title || 'New session'}
      </h1>
      <span className="ui-row chat-header-detail" title={session.workspace}>
        <Folder size={13} aria-hidden /> {visible(folderName(session.workspace))}
      </span>
      <InstructionsChip sessionId={sessionId} />
      <span className="ui-row chat-header-detail">{modeLabel(session.mode)}</span>
      <AgentCage sessionId={sessionId} />
      {session.sandbox && <Badge tone="accent">Sandbox</Badge>}
      <span className="chat-header-space" />
      <Suspense>
        <WorktreeChip sessionId={sessionId} />
      </Suspense>
      {running > 0 && (
        <Badge tone="accent" label={`${count(running, 'process', 'processes')} running`}>
          {running}
        </Badge>
      )}
      <IconButton
        label="Review changes"
        shortcut="toggle-review"
        icon={<GitCompare size={16} />}
        aria-pressed={reviewing}
        onClick={toggleReview}
      />
      <IconButton label="Changes in this session" icon={<FileDiff size={16} />} onClick={() => showPage('changes')} />
      <IconButton label="Replay this session" icon={<Rewind size={16} />} onClick={() => showPage('replay')} />
      <IconButton
        label="Show or hide the deck"
        shortcut="toggle-deck"
        icon={<PanelRight size={16} />}
        onClick={toggleDeck}
      />
    </header>
  )
}
