import type { Attachment } from '../../src-preload/contract/messages'
import type { Widths } from '../layout/widths'
import type { Preferences } from './preferences'

export type Page =
  | 'chat'
  | 'inbox'
  | 'schedule'
  | 'nodes'
  | 'agents'
  | 'skills'
  | 'memory'
  | 'channels'
  | 'mcp'
  | 'rules'
  | 'changes'
  | 'replay'
  | 'usage'
  | 'import'
  | 'settings'
export type Overlay = 'palette' | 'sessions' | 'shortcuts' | null

export interface Toast {
  id: number
  kind: 'info' | 'error'
  text: string
  action?: { label: string; run: () => void }
  /** Until it is dismissed. */
  stays?: true
}

/** Text of a file as it is being written, and what it was when the writing began. */
export interface FileDraft {
  base: string
  text: string
}

/** A wish to move the eye or the keyboard somewhere; `at` makes asking twice for the same place two wishes. */
interface Aim {
  id: string
  at: number
}

/** What the window itself decides: what is shown, open and focused, and what was typed but not sent. */
export interface View {
  page: Page
  selectedId: string | null
  sidebarOpen: boolean
  deckOpen: boolean
  /** The session whose deck the user opened although nothing is in it yet. */
  emptyDeck: string | null
  /** What stands beside the chat while the deck is open. */
  beside: 'terminals' | 'review'
  widths: Widths
  /** In a narrow window the deck lies over the chat while this is set. */
  drawerOpen: boolean
  overlay: Overlay
  /** Cards and notes that were opened or closed by hand; rows of a virtual list cannot keep it themselves. */
  expanded: Record<string, boolean>
  drafts: Record<string, string>
  attachments: Record<string, Attachment[]>
  /** Long lines of code in the chat are broken rather than scrolled. */
  wrapCode: boolean
  /** Files of agents that were changed and not saved, by agent and path. */
  fileDrafts: Record<string, FileDraft>
  /** The message that a search hit led to. */
  aimedMessage: Aim | null
  /** The process whose pane should come into view and take the keyboard. */
  aimedProcess: Aim | null
  /** The question whose card should come into view and take the keyboard. */
  aimedQuestion: Aim | null
  /** The rule that should come into view. */
  aimedRule: Aim | null
  /** The section of the settings that should come into view. */
  aimedSetting: Aim | null
  /** When finding in the chat was asked for; null while the bar for it is closed. */
  finding: number | null
  toasts: Toast[]
  /** What a screen reader should say now. */
  announcement: string
}

export const firstView = (preferences: Preferences): View => ({
  page: 'chat',
  selectedId: preferences.selectedId,
  sidebarOpen: preferences.sidebarOpen,
  deckOpen: preferences.deckOpen,
  emptyDeck: null,
  beside: 'terminals',
  widths: preferences.widths,
  drawerOpen: false,
  overlay: null,
  expanded: {},
  drafts: preferences.drafts,
  attachments: {},
  wrapCode: preferences.wrapCode,
  fileDrafts: {},
  aimedMessage: null,
  aimedProcess: null,
  aimedQuestion: null,
  aimedRule: null,
  aimedSetting: null,
  finding: null,
  toasts: [],
  announcement: '',
})
