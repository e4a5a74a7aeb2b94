import { Suspense } from 'react'
import { ChatPage } from './chat/ChatPage'
import { Columns } from './layout/Columns'
import { ErrorBoundary } from './layout/ErrorBoundary'
import { lazily } from './layout/lazily'
import { MainPage } from './layout/MainPage'
import { Startup } from './layout/Startup'
import { StatusLine } from './layout/StatusLine'
import { useFonts, useTheme } from './layout/use-theme'
import { useWindowKeys } from './layout/use-window-keys'
import { useDeckhand } from './state/store'
import { Toasts, TooltipProvider } from './ui'
import './layout/layout.css'

// In chunks of their own: the chat is drawn first, so that the user can type, and the rest a moment later.
const Sidebar = lazily(async () => (await import('./sidebar/Sidebar')).Sidebar)
const Deck = lazily(async () => (await import('./terminal/Deck')).Deck)
const ReviewPanel = lazily(async () => (await import('./review/ReviewPanel')).ReviewPanel)
const Overlays = lazily(async () => (await import('./palette/Overlays')).Overlays)

const notYet = <div aria-busy="true" />

/** The window: a placeholder until main has answered, then the columns. */
export function App() {
  const ready = useDeckhand((state) => state.connection === 'ready')
  const page = useDeckhand((state) => state.page)
  const sessionId = useDeckhand((state) => state.selectedId)
  const beside = useDeckhand((state) => state.beside)
  useTheme()
  useFonts()
  useWindowKeys()
  if (!ready) return <Startup />
  const chat = page === 'chat'
  return (
    <TooltipProvider>
      <Columns
        side={
          <ErrorBoundary what="the sessions">
            <Suspense fallback={notYet}>
              <Sidebar />
            </Suspense>
          </ErrorBoundary>
        }
        main={
          <ErrorBoundary key={page} what="this page">
            {chat ? <ChatPage /> : <MainPage page={page} />}
          </ErrorBoundary>
        }
        deck={
          chat && sessionId ? (
            <aside className="layout-deck" aria-label="Deck">
              <ErrorBoundary key={`${sessionId} ${beside}`} what="the deck">
                <Suspense fallback={notYet}>
                  {beside === 'review' ? <ReviewPanel sessionId={sessionId} /> : <Deck sessionId={sessionId} />}
                </Suspense>
              </ErrorBoundary>
            </aside>
          ) : null
        }
      />
      <Suspense>
        <Overlays />
      </Suspense>
      <StatusLine />
      <Toasts />
    </TooltipProvider>
  )
}
