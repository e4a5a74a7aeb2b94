/** Hooks: programs of the user's that are run when something happens in a session, in the form that Claude Code has. */

export const hookEvents = [
  'PreToolUse',
  'PostToolUse',
  'UserPromptSubmit',
  'Stop',
  'SessionStart',
  'Notification',
] as const
export type HookEvent = (typeof hookEvents)[number]

export interface HookInfo {
  event: HookEvent
  /** Names of tools that it is for, as a pattern; empty for all. */
  matcher: string
  command: string
  /** Seconds that it may take. */
  timeout: number
}

/** What a folder would run, and whether the user trusts it. */
export interface ProjectHooks {
  folder: string
  state: 'none' | 'asks' | 'later' | 'trusted' | 'never'
  /** Of the content that the user sees; trust holds for that only. */
  hash: string
  /** The user trusted other words than these. */
  changed: boolean
  hooks: HookInfo[]
  warnings: string[]
}

export type HooksEvent = { type: 'hooks'; project: ProjectHooks }
