import { ArrowDown } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { Virtuoso, type VirtuosoHandle } from 'react-virtuoso'
import { setOnScreen, useDeckhand } from '../state/store'
import { attempt } from '../state/toasts'
import { loadLatest, loadNewer, loadOlder } from '../state/transcript-pages'
import { Button, Skeleton } from '../ui'
import { MessageRow } from './MessageRow'
import { TranscriptSkeleton } from './TranscriptSkeleton'
import { useAim } from './use-aim'
import { useFollow } from './use-follow'
import { Welcome } from './Welcome'

/** The list's first index: it counts down as older pages are prepended, so that rows keep their index. */
const origin = 1_000_000
/** Enough rows of usual height to fill the window. */
const glanceRows = () => Math.ceil(window.innerHeight / 100)
/** The assumed height of a row that was not drawn yet; without it the list would draw one row just to measure it. */
const rowHeight = 120

/** A folded message has no height, which the list treats as an error, so it gets almost none. */
const sizeOf = (element: HTMLElement, field: 'offsetHeight' | 'offsetWidth') => element[field] || 0.01

export function Transcript({ sessionId }: { sessionId: string }) {
  const length = useDeckhand((state) => state.transcripts[sessionId]?.messages.length)
  const run = useDeckhand((state) => state.transcripts[sessionId]?.run)
  const gone = length === undefined
  // It is loaded when the session is opened, and again here if everything that was loaded has been dropped.
  useEffect(() => {
    if (gone) attempt(loadLatest(sessionId))
  }, [gone, sessionId])
  if (gone) return <TranscriptSkeleton />
  if (length === 0) return <Welcome sessionId={sessionId} />
  return <List key={`${sessionId} ${run}`} sessionId={sessionId} length={length} />
}

function List({ sessionId, length }: { sessionId: string; length: number }) {
  const list = useRef<VirtuosoHandle>(null)
  const latest = useDeckhand((state) => state.transcripts[sessionId]?.latest ?? true)
  const { atEnd, attach, onHeight, toEnd, leave } = useFollow(latest)
  const section = useRef<HTMLElement>(null)
  const prepended = useDeckhand((state) => state.transcripts[sessionId]?.prepended ?? 0)
  const complete = useDeckhand((state) => state.transcripts[sessionId]?.complete ?? true)
  const first = origin - prepended
  const hidden = useGlance(first, length)
  const flash = useAim(sessionId, section, (at) => {
    leave()
    list.current?.scrollToIndex({ index: at - hidden, align: 'center' })
  })
  const showEnd = () => {
    if (!latest) return void attempt(loadLatest(sessionId))
    list.current?.scrollToIndex({ index: 'LAST', align: 'end' })
    toEnd()
  }
  useOwnMessages(sessionId, showEnd)
  return (
    <section ref={section} className="chat-transcript" aria-label="Conversation">
      <Virtuoso
        ref={list}
        className={hidden > 0 ? 'chat-list chat-list-glance' : 'chat-list'}
        totalCount={length - hidden}
        // Drawn at once; otherwise the list would first draw nothing, to measure the available space.
        initialItemCount={Math.min(length - hidden, glanceRows())}
        firstItemIndex={first + hidden}
        defaultItemHeight={rowHeight}
        itemSize={sizeOf}
        computeItemKey={(index) => rowKey(sessionId, index - first)}
        itemContent={(index) => (
          <MessageRow sessionId={sessionId} at={index - first} flash={flash === rowKey(sessionId, index - first)} />
        )}
        scrollerRef={attach}
        totalListHeightChanged={onHeight}
        increaseViewportBy={hidden > 0 ? 0 : 600}
        startReached={() => {
          if (!complete && hidden === 0) attempt(loadOlder(sessionId))
        }}
        endReached={() => {
          if (!latest) attempt(loadNewer(sessionId))
        }}
        rangeChanged={({ startIndex, endIndex }) => tellRange(sessionId, startIndex - first, endIndex - first)}
        components={complete ? ends : endsWhileReading}
      />
      {!(atEnd && latest) && (
        <Button className="chat-to-end" icon={<ArrowDown size={14} />} onClick={showEnd}>
          Jump to latest
        </Button>
      )}
    </section>
  )
}

/**
 * How many rows at the start are held back. A session opens at its end, which takes a full list half a dozen frames to
 * reach; a list of only the last rows starts there, and takes in the others once those have been drawn.
 */
function useGlance(first: number, length: number): number {
  const [from, setFrom] = useState(() => first + length - glanceRows())
  // A jump to a past message needs all of them at once.
  const aimed = useDeckhand((state) => state.aimedMessage !== null)
  useEffect(() => {
    if (aimed) return setFrom(0)
    const waiting = requestIdleCallback(() => setFrom(0), { timeout: 200 })
    return () => cancelIdleCallback(waiting)
  }, [aimed])
  return aimed ? 0 : Math.max(0, from - first)
}

function tellRange(sessionId: string, start: number, end: number): void {
  const messages = useDeckhand.getState().transcripts[sessionId]?.messages
  const [from, to] = [messages?.[start]?.seq, messages?.[end]?.seq]
  if (from !== undefined && to !== undefined) setOnScreen({ sessionId, from, to })
}

const rowKey = (sessionId: string, at: number) =>
  useDeckhand.getState().transcripts[sessionId]?.messages[at]?.id ?? `gone-${at}`

const Foot = () => <div className="chat-foot" />
const ends = { Header: () => <div className="chat-head-space" />, Footer: Foot }
const endsWhileReading = { Header: () => <Skeleton rows={3} />, Footer: Foot }

/** Scrolls to a message that the user sends, wherever they had scrolled to. */
function useOwnMessages(sessionId: string, show: () => void): void {
  const newest = useDeckhand((state) => {
    const message = state.transcripts[sessionId]?.messages.at(-1)
    return message?.role === 'user' ? message.id : null
  })
  const seen = useRef(newest)
  useEffect(() => {
    if (newest && newest !== seen.current) show()
    if (newest) seen.current = newest
  })
}
