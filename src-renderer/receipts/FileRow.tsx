import { ChevronRight, Redo2, Undo2 } from 'lucide-react'
import { useId, useState } from 'react'
import type { FileDiff } from '../../src-preload/contract/file-diff'
import type { ReceiptFile } from '../../src-preload/contract/receipts'
import { Diff } from '../chat/Diff'
import { Loaded } from '../page/Loaded'
import { useAsk } from '../page/use-ask'
import { call } from '../state/bridge'
import { visible } from '../state/format'
import { IconButton } from '../ui'
import { canUndo, changeOf } from './receipt-words'
import type { UndoWish } from './UndoDialog'

interface FileRowProps {
  callId: string
  file: ReceiptFile
  /** Whether the call that changed it is still running: nothing can be undone until it has ended. */
  running: boolean
  onWish: (wish: UndoWish) => void
}

/** One file of a receipt: what happened to it, the diff on request, and a button to undo it. */
export function FileRow({ callId, file, running, onWish }: FileRowProps) {
  const [open, setOpen] = useState(false)
  const id = useId()
  const { path } = file
  const change = changeOf(file)
  const direction = file.undone ? 'redo' : 'undo'
  return (
    <li className="receipt-file" data-undone={file.undone ? true : undefined}>
      <div className="ui-row receipt-file-line">
        <button
          type="button"
          className="receipt-file-name"
          aria-expanded={open}
          aria-controls={id}
          onClick={() => setOpen(!open)}
        >
          <ChevronRight className="ui-chevron" size={13} aria-hidden />
          <span className="receipt-change" data-change={change}>
            {change}
          </span>
          <code>{visible(path)}</code>
          {file.after?.kind === 'folder' && <span className="receipt-hint">folder</span>}
          {file.shared && <span className="receipt-hint">may include another program’s changes</span>}
          {file.undone && <span className="receipt-hint">undone</span>}
        </button>
        {!canUndo(file) && <span className="receipt-hint">not kept</span>}
        {canUndo(file) && !running && (
          <IconButton
            light
            label={`${direction === 'undo' ? 'Undo' : 'Redo'}: ${path}`}
            icon={direction === 'undo' ? <Undo2 size={14} /> : <Redo2 size={14} />}
            onClick={() => onWish({ direction, paths: [path] })}
          />
        )}
      </div>
      <div id={id} hidden={!open}>
        {open && <FileChange callId={callId} path={path} />}
      </div>
    </li>
  )
}

function FileChange({ callId, path }: { callId: string; path: string }) {
  const [diff, setDiff] = useState<FileDiff | null>(null)
  const asked = useAsk(() => call('receipt.diff', { callId, path }).then(setDiff))
  return (
    <Loaded asked={asked} ready={diff !== null} what="The difference" small>
      {diff && <Diff files={[diff]} />}
    </Loaded>
  )
}
