import { Suspense } from 'react'
import { Composer } from '../composer/Composer'
import { DropArea } from '../composer/DropArea'
import { lazily } from '../layout/lazily'
import { useDeckhand } from '../state/store'
import { ChatHeader } from './ChatHeader'
import { TranscriptSkeleton } from './TranscriptSkeleton'
import { Welcome } from './Welcome'
import './chat.css'

// Markdown and the virtual list are the larger half of the window's code; the composer need not wait for them.
const Transcript = lazily(async () => (await import('./Transcript')).Transcript)
// It makes main read the folder and start trusted programs there, which can wait until something is visible.
const FolderNotices = lazily(async () => (await import('../folder-notices/FolderNotices')).FolderNotices)

const FindBar = lazily(async () => (await import('./FindBar')).FindBar)

export function ChatPage() {
  const sessionId = useDeckhand((state) => state.selectedId)
  const known = useDeckhand((state) => sessionId !== null && Object.hasOwn(state.sessions, sessionId))
  const empty = useDeckhand((state) => sessionId !== null && state.transcripts[sessionId]?.messages.length === 0)
  const finding = useDeckhand((state) => state.finding !== null)
  if (!sessionId || !known) return <main className="chat-page" aria-busy="true" />
  return (
    <main className="chat-page" id="main" tabIndex={-1}>
      <DropArea sessionId={sessionId}>
        <ChatHeader sessionId={sessionId} />
        <Suspense>
          <FolderNotices sessionId={sessionId} />
        </Suspense>
        {finding && (
          <Suspense>
            <FindBar key={sessionId} sessionId={sessionId} />
          </Suspense>
        )}
        <Suspense fallback={empty ? <Welcome sessionId={sessionId} /> : <TranscriptSkeleton />}>
          <Transcript sessionId={sessionId} />
        </Suspense>
        <Composer sessionId={sessionId} />
      </DropArea>
    </main>
  )
}
