import { Composer } from '../composer/Composer'
import { DropArea } from '../composer/DropArea'
import { useDeckhand } from '../state/store'
import { ChatHeader } from './ChatHeader'
import { Transcript } from './Transcript'
import './chat.css'

export function ChatPage() {
  const sessionId = useDeckhand((state) => state.selectedId)
  const known = useDeckhand((state) => sessionId !== null && Object.hasOwn(state.sessions, sessionId))
  if (!sessionId || !known) return <main className="chat-page" aria-busy="true" />
  return (
    <main className="chat-page" id="main" tabIndex={-1}>
      <DropArea sessionId={sessionId}>
        <ChatHeader sessionId={sessionId} />
        <Transcript sessionId={sessionId} />
        <Composer sessionId={sessionId} />
      </DropArea>
    </main>
  )
}
