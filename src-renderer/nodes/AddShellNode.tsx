import { type ReactNode, useState } from 'react'
import type { BackendChoices, BackendPlace } from '../../src-preload/contract/backends'
import { Form } from '../page/Form'
import { TextRow } from '../page/TextRow'
import { useAsk } from '../page/use-ask'
import { useDraft } from '../page/use-draft'
import { call } from '../state/bridge'
import { useDeckhand } from '../state/store'
import { toast } from '../state/toasts'
import { ShellNodeFields } from './ShellNodeFields'
import { draftErrors, emptyDraft, placeOf } from './shell-node-draft'

interface AddShellNodeProps {
  kind: BackendPlace['kind']
  /** The control that chooses another kind. */
  head: ReactNode
  onClose: () => void
}

/** The form for an ssh host, a container, WSL or tmux. It is saved once it has connected. */
export function AddShellNode({ kind, head, onClose }: AddShellNodeProps) {
  const taken = useDeckhand((state) => state.nodes)?.map((node) => node.id) ?? []
  const [choices, setChoices] = useState<BackendChoices | null>(null)
  const asked = useAsk(async () => setChoices(await call('backend.choices', {})))
  const { draft, report, change, field, attempt } = useDraft(emptyDraft(kind), (now) =>
    draftErrors({ ...now, kind }, taken),
  )

  const add = () =>
    attempt(
      'Connecting…',
      () =>
        call('backend.add', {
          place: placeOf({ ...draft, kind }),
          id: draft.name.trim() || undefined,
        }),
      (id) => {
        toast({ kind: 'info', text: `${id} is connected.` })
        onClose()
        return null
      },
    )

  return (
    <Form label="Add a node" submit="Connect" report={report} onSubmit={add} onCancel={onClose}>
      {head}
      <ShellNodeFields kind={kind} draft={draft} field={field} choices={choices} looking={asked.busy} change={change} />
      <TextRow
        label="Name"
        placeholder="Same as the host"
        hint="The name that you and the agent use."
        {...field('name')}
      />
    </Form>
  )
}
