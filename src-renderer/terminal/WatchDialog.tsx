import { useState } from 'react'
import type { ProcessInfo, WatchedFor } from '../../src-preload/contract/processes'
import { DialogForm } from '../page/DialogForm'
import { SelectRow } from '../page/SelectRow'
import { TextRow } from '../page/TextRow'
import { call } from '../state/bridge'
import { announce, toast } from '../state/toasts'
import { readWatch, watchWords } from './watch-words'

const kinds: { value: WatchedFor['kind']; label: string }[] = [
  { value: 'text', label: 'It prints some text' },
  { value: 'silence', label: 'It prints nothing for a while' },
  { value: 'port', label: 'It listens on a port' },
  { value: 'exit', label: 'It exits' },
]

const fields = {
  text: { label: 'Text', placeholder: 'ready' },
  silence: { label: 'Seconds', placeholder: '60' },
  port: { label: 'Port', placeholder: '3000' },
}

/** Asks which event should wake the agent. */
export function WatchDialog({ process, onClose }: { process: ProcessInfo; onClose: () => void }) {
  const [kind, setKind] = useState<WatchedFor['kind']>('text')
  const [written, setWritten] = useState('')
  const [error, setError] = useState<string | undefined>(undefined)

  // The end of a command that the agent left in the background wakes it anyway.
  const offered = process.background && !process.byUser ? kinds.filter(({ value }) => value !== 'exit') : kinds
  const field = kind === 'exit' ? null : fields[kind]

  const submit = () => {
    const wanted = readWatch(kind, written)
    if (typeof wanted === 'string') return setError(wanted)
    call('process.watch', { id: process.id, wanted }).then(
      () => {
        announce(`The agent will be notified when it ${watchWords(wanted)}`)
        onClose()
      },
      (reason: Error) => toast({ kind: 'error', text: reason.message }),
    )
  }

  return (
    <DialogForm title="Notify the agent when…" submit="Watch" onSubmit={submit} onClose={onClose}>
      <SelectRow
        label="When"
        options={offered}
        value={kind}
        onChange={(next) => {
          setKind(next)
          setError(undefined)
        }}
      />
      {field && (
        <TextRow
          {...field}
          mono
          error={error}
          hint="Notifies the agent once, even if its turn has ended."
          value={written}
          onChange={(next) => {
            setWritten(next)
            setError(undefined)
          }}
        />
      )}
    </DialogForm>
  )
}
