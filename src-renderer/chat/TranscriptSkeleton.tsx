import { Skeleton } from '../ui'

/** Holds the transcript's place while it is read. */
export function TranscriptSkeleton() {
  return (
    <div className="chat-transcript" aria-busy="true">
      <div className="chat-loading">
        <Skeleton rows={6} />
      </div>
    </div>
  )
}
