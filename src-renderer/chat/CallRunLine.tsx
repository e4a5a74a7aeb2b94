import { ChevronRight, FileDiff, Layers } from 'lucide-react'
import { useShallow } from 'zustand/react/shallow'
import { count, visible } from '../state/format'
import { showPage } from '../state/navigate'
import { useDeckhand } from '../state/store'
import { Button } from '../ui'
import { type CallRun, editedPaths, runKey, runWords } from './call-runs'
import { useExpanded } from './use-expanded'

const mostPaths = 4

/** A run of calls as one line that can be expanded, and below it what they changed. */
export function CallRunLine({ run }: { run: CallRun }) {
  const calls = useDeckhand(useShallow((state) => run.calls.flatMap((id) => state.calls[id] ?? [])))
  const byCommands = useDeckhand((state) =>
    run.calls.reduce((sum, id) => {
      const receipt = state.receipts[id]
      const call = state.calls[id]
      const edit = call && 'display' in call.state && call.state.display?.type === 'diff'
      return receipt && !edit ? sum + receipt.created + receipt.changed + receipt.deleted : sum
    }, 0),
  )
  const [open, toggle] = useExpanded(runKey(run))
  const { done, failed } = runWords(calls)
  const edited = editedPaths(calls)
  return (
    <div className="chat-run">
      <button type="button" className="chat-run-line" aria-expanded={open} onClick={toggle}>
        <ChevronRight className="chat-tool-chevron" size={14} aria-hidden />
        <Layers className="chat-tool-icon" size={14} aria-hidden />
        <span>
          {done}
          {failed && (
            <>
              , <span className="chat-run-failed">{failed}</span>
            </>
          )}
        </span>
      </button>
      {(edited.length > 0 || byCommands > 0) && (
        <p className="ui-row chat-run-changes">
          <FileDiff size={13} aria-hidden />
          <span className="chat-run-paths">
            {edited.slice(0, mostPaths).map((path) => (
              <code key={path}>{visible(path)}</code>
            ))}
            {edited.length > mostPaths && <span>and {edited.length - mostPaths} more</span>}
            {byCommands > 0 && (
              <span>
                {count(byCommands, 'file')} changed by {run.calls.length > 1 ? 'commands' : 'a command'}
              </span>
            )}
          </span>
          <Button kind="quiet" onClick={() => showPage('changes')}>
            View changes
          </Button>
        </p>
      )}
    </div>
  )
}
