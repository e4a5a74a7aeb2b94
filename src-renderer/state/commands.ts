import type { Theme } from '../../src-preload/contract/settings'
import { call } from './bridge'
import { regenerate, stopTurn } from './message-actions'
import {
  focusComposer,
  focusNextQuestion,
  focusProcess,
  openOverlay,
  showPage,
  toggleDeck,
  toggleSidebar,
} from './navigate'
import { toggleReview } from './review'
import { setSandbox } from './sandbox'
import { chooseWorkspace, deleteSession, exportSession, newSession, openTerminalOfMyOwn } from './session-actions'
import { isBusy } from './sessions'
import type { ShortcutId } from './shortcuts'
import { getState, setState } from './store'
import { announce, attempt } from './toasts'

interface Command {
  label: string
  /** Other words that a user may search for. */
  words?: string
  shortcut?: ShortcutId
  run: () => void
  /** By default always. */
  when?: () => boolean
}

const selected = () => {
  const { selectedId, sessions } = getState()
  return selectedId ? sessions[selectedId] : undefined
}

const withSession = (run: (id: string) => void) => () => {
  const session = selected()
  if (session) run(session.id)
}

const busy = () => isBusy(selected())

const canAnswerAgain = () => {
  const session = selected()
  return session !== undefined && !isBusy(session) && getState().transcripts[session.id]?.messages.length !== 0
}

const theme = (value: Theme, label: string): Command => ({
  label,
  words: 'colour look',
  run: () => attempt(call('settings.update', { theme: value })),
})

/** Everything that can be done by name. The palette lists it, and the window's keys run it. */
export const commands: readonly Command[] = [
  { label: 'New session', words: 'chat create', shortcut: 'new-session', run: newSession },
  { label: 'Switch session…', words: 'go open', shortcut: 'switch-session', run: () => openOverlay('sessions') },
  { label: 'Search all sessions', words: 'find text', shortcut: 'search', run: focusSearch },
  {
    label: 'Find in this chat',
    words: 'search text message',
    shortcut: 'find-in-chat',
    run: withSession(() => setState({ page: 'chat', overlay: null, finding: Date.now() })),
  },
  { label: 'Stop', words: 'cancel abort turn', shortcut: 'stop', run: withSession(stopTurn), when: busy },
  { label: 'Regenerate', words: 'answer again retry', run: withSession(regenerate), when: canAnswerAgain },
  { label: 'Next approval', words: 'question waiting allow deny', shortcut: 'next-approval', run: focusNextQuestion },
  { label: 'Inbox', words: 'approvals questions', shortcut: 'inbox', run: () => showPage('inbox') },
  { label: 'Schedule', words: 'jobs cron timer every day', run: () => showPage('schedule') },
  { label: 'Nodes', words: 'machines gateway servers remote transfer', run: () => showPage('nodes') },
  { label: 'Agents', words: 'soul identity memory files notes', run: () => showPage('agents') },
  { label: 'Skills', words: 'skill.md abilities', run: () => showPage('skills') },
  { label: 'Memory', words: 'notes recall remember search', run: () => showPage('memory') },
  { label: 'Channels', words: 'slack discord telegram webhook messages', run: () => showPage('channels') },
  { label: 'MCP servers', words: 'tools model context protocol', run: () => showPage('mcp') },
  {
    label: 'Changes in this session',
    words: 'undo redo files diff receipt',
    run: withSession(() => showPage('changes')),
  },
  {
    label: 'Replay this session',
    words: 'play again watch slider history export html',
    run: withSession(() => showPage('replay')),
  },
  { label: 'Usage and cost', words: 'tokens money spending price cap history', run: () => showPage('usage') },
  {
    label: 'Import from other agents',
    words: 'claude codex opencode gemini vscode move migrate',
    run: () => showPage('import'),
  },
  { label: 'Rules', words: 'permissions allowed always', run: () => showPage('rules') },
  {
    label: 'Settings',
    words: 'preferences models providers keys',
    shortcut: 'settings',
    run: () => showPage('settings'),
  },
  { label: 'Focus message box', words: 'composer write focus', shortcut: 'focus-composer', run: focusComposer },
  { label: 'Next terminal', words: 'pane focus', shortcut: 'next-pane', run: focusNextPane },
  { label: 'New terminal', words: 'shell open', shortcut: 'new-terminal', run: withSession(openTerminalOfMyOwn) },
  {
    label: 'Turn sandbox on',
    words: 'cage confine bubblewrap safe',
    run: withSession((id) => setSandbox(id, true)),
    when: () => selected()?.sandbox === false,
  },
  {
    label: 'Turn sandbox off',
    words: 'cage confine bubblewrap',
    run: withSession((id) => setSandbox(id, false)),
    when: () => selected()?.sandbox === true,
  },
  { label: 'Choose workspace folder…', words: 'directory cwd', run: withSession(chooseWorkspace) },
  { label: 'Export as Markdown…', words: 'save', run: withSession((id) => exportSession(id, 'markdown')) },
  { label: 'Export as JSON…', words: 'save', run: withSession((id) => exportSession(id, 'json')) },
  { label: 'Delete session', words: 'remove', run: withSession(deleteSession) },
  { label: 'Show or hide sessions', words: 'sidebar', shortcut: 'toggle-sidebar', run: toggleSidebar },
  {
    label: 'Review changes',
    words: 'diff commit push stage revert git',
    shortcut: 'toggle-review',
    run: toggleReview,
  },
  { label: 'Show or hide the deck', words: 'terminals panel', shortcut: 'toggle-deck', run: toggleDeck },
  theme('system', 'Theme: match system'),
  theme('light', 'Theme: light'),
  theme('dark', 'Theme: dark'),
  { label: 'Keyboard shortcuts', words: 'keys help', shortcut: 'shortcuts', run: () => openOverlay('shortcuts') },
  { label: 'Command palette', shortcut: 'palette', run: () => openOverlay('palette'), when: () => false },
]

export function runShortcut(id: ShortcutId): boolean {
  const command = commands.find((entry) => entry.shortcut === id)
  if (!command) return false
  // The palette leaves itself out of its list, but its key always works.
  if (id !== 'palette' && command.when && !command.when()) return false
  command.run()
  return true
}

function focusSearch(): void {
  setState({ sidebarOpen: true, overlay: null })
  requestAnimationFrame(() => document.querySelector<HTMLInputElement>('[data-search]')?.select())
}

/** Goes through the panes of the session: those that run, or all if none does. */
function focusNextPane(): void {
  const { processes, selectedId, aimedProcess } = getState()
  const here = Object.values(processes).filter((process) => process.sessionId === selectedId)
  const running = here.filter((process) => process.status === 'running')
  const panes = (running.length > 0 ? running : here).sort((a, b) => a.startedAt - b.startedAt)
  const current = panes.findIndex((process) => process.id === aimedProcess?.id)
  const next = panes[(current + 1) % panes.length]
  if (next) focusProcess(next.id)
  else announce('This session has no terminal.')
}
