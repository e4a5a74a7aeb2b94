/** A page that is shown beside the chat, apart from the app. */
export interface Preview {
  sessionId: string
  url: string
  title: string
  loading: boolean
  canGoBack: boolean
  /** Why the page cannot be shown. */
  problem: string | null
  /** What the page has written to its console, and what was refused to it; the newest last. */
  log: PreviewLine[]
}

export interface PreviewLine {
  level: 'error' | 'warning' | 'info'
  text: string
}

export type PreviewEvent = { type: 'preview'; preview: Preview | null }

/** A port that a process of a session listens on. */
export interface SessionPort {
  port: number
  processId: string
}
