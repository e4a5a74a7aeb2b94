import { ChatPage } from './chat/ChatPage'
import { Columns } from './layout/Columns'
import { MainPage } from './layout/MainPage'
import { Startup } from './layout/Startup'
import { StatusLine } from './layout/StatusLine'
import { useTheme } from './layout/use-theme'
import { useWindowKeys } from './layout/use-window-keys'
import { Palette } from './palette/Palette'
import { ShortcutSheet } from './palette/ShortcutSheet'
import { Sidebar } from './sidebar/Sidebar'
import { useDeckhand } from './state/store'
import { Deck } from './terminal/Deck'
import { Toasts, TooltipProvider } from './ui'
import './layout/layout.css'

/** The window: what it shows before main has answered, and the columns once it has. */
export function App() {
  const ready = useDeckhand((state) => state.connection === 'ready')
  const page = useDeckhand((state) => state.page)
  const sessionId = useDeckhand((state) => state.selectedId)
  useTheme()
  useWindowKeys()
  if (!ready) return <Startup />
  const chat = page === 'chat'
  return (
    <TooltipProvider>
      <Columns
        side={<Sidebar />}
        main={chat ? <ChatPage /> : <MainPage page={page} />}
        deck={
          chat && sessionId ? (
            <aside className="layout-deck" aria-label="Deck">
              <Deck sessionId={sessionId} />
            </aside>
          ) : null
        }
      />
      <Palette />
      <ShortcutSheet />
      <StatusLine />
      <Toasts />
    </TooltipProvider>
  )
}
