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
  /** Stays until it is dismissed. */
  stays?: true
}

/** The text of a file while it is edited, and the text it started from. */
export interface FileDraft {
  base: string
  text: string
}

/** A request to show or focus something; `at` makes asking twice for the same thing two requests. */
interface Aim {
  id: string
  at: number
}

/** The window's own state: what is shown, open and focused, and what was typed but not sent. */
export interface View {
  page: Page
  selectedId: string | null
  sidebarOpen: boolean
  deckOpen: boolean
  /** The session whose deck the user opened although it is empty. */
  emptyDeck: string | null
  /** What is shown beside the chat while the deck is open. */
  beside: 'terminals' | 'review'
  widths: Widths
  /** In a narrow window: whether the deck covers the chat. */
  drawerOpen: boolean
  overlay: Overlay
  /** Cards and notes that the user expanded or collapsed; rows of a virtual list cannot keep this themselves. */
  expanded: Record<string, boolean>
  drafts: Record<string, string>
  attachments: Record<string, Attachment[]>
  /** Whether long lines of code in the chat wrap instead of scrolling. */
  wrapCode: boolean
  /** Unsaved files of agents, by agent and path. */
  fileDrafts: Record<string, FileDraft>
  /** The message to scroll to. */
  aimedMessage: Aim | null
  /** The process whose pane to show and focus. */
  aimedProcess: Aim | null
  /** The question whose card to show and focus. */
  aimedQuestion: Aim | null
  /** The rule to scroll to. */
  aimedRule: Aim | null
  /** The section of the settings to scroll to. */
  aimedSetting: Aim | null
  /** When the find bar of the chat was last requested; null while it is closed. */
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
