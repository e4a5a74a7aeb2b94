import { Redo2, Undo2 } from 'lucide-react'
import { useState } from 'react'
import type { Receipt, ReceiptSummary } from '../../src-preload/contract/receipts'
import { Loaded } from '../page/Loaded'
import { useAsk } from '../page/use-ask'
import { call } from '../state/bridge'
import { visible } from '../state/format'
import { Button } from '../ui'
import { FileRow } from './FileRow'
import { canUndo } from './receipt-words'
import { UndoDialog, type UndoWish } from './UndoDialog'

/** The files of a receipt, each with its diff and undo; what was left running; and what the limits left out. */
export function ReceiptBody({ summary }: { summary: ReceiptSummary }) {
  const { callId } = summary
  const [receipt, setReceipt] = useState<Receipt | null>(null)
  const [wish, setWish] = useState<UndoWish | null>(null)
  const asked = useAsk(() => call('receipt.get', { callId }).then(setReceipt), JSON.stringify(summary))
  const files = receipt?.files ?? []
  const running = summary.state === 'open'
  const undoable = running ? [] : files.filter((file) => !file.undone && !file.shared && canUndo(file))
  const redoable = running ? [] : files.filter((file) => file.undone)
  return (
    <div className="ui-column receipt-body">
      <Loaded asked={asked} ready={receipt !== null} what="The changes" small>
        {files.length > 0 && (
          <ul className="receipt-files">
            {files.map((file) => (
              <FileRow key={file.path} callId={callId} file={file} running={running} onWish={setWish} />
            ))}
          </ul>
        )}
        <Left receipt={summary} />
        {summary.notes.map((note) => (
          <p key={note} className="receipt-note">
            {visible(note)}
          </p>
        ))}
        {(undoable.length > 0 || redoable.length > 0) && (
          <div className="receipt-actions">
            {undoable.length > 0 && (
              <Button icon={<Undo2 size={14} />} onClick={() => setWish({ direction: 'undo' })}>
                {undoLabel(undoable.length, files.length)}…
              </Button>
            )}
            {redoable.length > 0 && (
              <Button icon={<Redo2 size={14} />} onClick={() => setWish({ direction: 'redo' })}>
                Redo…
              </Button>
            )}
          </div>
        )}
      </Loaded>
      {wish && <UndoDialog callId={callId} wish={wish} onClose={() => setWish(null)} />}
    </div>
  )
}

const undoLabel = (able: number, all: number): string =>
  all === 1 ? 'Undo' : able === all ? 'Undo all' : `Undo ${able} of ${all}`

function Left({ receipt: { processes, ports } }: { receipt: ReceiptSummary }) {
  if (processes.length === 0) return null
  return (
    <ul className="receipt-left" aria-label="Left running">
      {processes.map(({ pid, command }) => (
        <li key={pid}>
          <code>{visible(command)}</code> <span>process {pid}</span>
        </li>
      ))}
      {ports.map(({ port, open }) => (
        <li key={port}>
          Port {port} <span>{open ? 'open to the network' : 'open to this machine only'}</span>
        </li>
      ))}
    </ul>
  )
}
