import { CircleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button, Empty, Skeleton } from '../ui'
import type { Asked } from './use-ask'

interface LoadedProps {
  asked: Asked
  /** Whether there is content to show, from this request or an earlier one. */
  ready: boolean
  /** What is being loaded: "The nodes". */
  what: string
  /** Inside a card: an error is one line, not a page. */
  small?: boolean
  children: ReactNode
}

/** Shows a skeleton while main is asked, then the content, or the error with a button to try again. */
export function Loaded({ asked, ready, what, small = false, children }: LoadedProps) {
  if (ready) return children
  if (!asked.problem)
    return (
      <div role="status" aria-busy="true" aria-label={`${what}: loading`}>
        <Skeleton rows={small ? 2 : 5} />
      </div>
    )
  if (small)
    return (
      <p className="ui-row page-inline page-error" role="alert">
        {asked.problem}
        <Button kind="quiet" onClick={asked.again}>
          Try again
        </Button>
      </p>
    )
  return (
    <Empty icon={<CircleAlert size={28} />} title={`${what} could not be read`}>
      <p role="alert">{asked.problem}</p>
      <Button className="page-retry" onClick={asked.again}>
        Try again
      </Button>
    </Empty>
  )
}
