import { Skeleton } from '../ui'

/** A placeholder while the transcript is loaded. */
export function TranscriptSkeleton() {
  return (
    <div className="chat-transcript" aria-busy="true">
      <div className="chat-loading">
        <Skeleton rows={6} />
      </div>
    </div>
  )
}
