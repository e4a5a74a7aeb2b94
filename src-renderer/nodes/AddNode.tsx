import { type FormEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react'
import type { NodeInvitation, NodeRole } from '../../src-preload/contract/nodes'
import { described, FormRow } from '../page/FormRow'
import { Report, type ReportState } from '../page/Report'
import { SelectRow } from '../page/SelectRow'
import { TextRow } from '../page/TextRow'
import { call } from '../state/bridge'
import { useDeckhand } from '../state/store'
import { Button } from '../ui'
import { nodeNameError } from './node-words'

const ROLES: readonly { value: NodeRole; label: string; hint: string }[] = [
  { value: 'execution', label: 'Runs commands', hint: 'An ordinary machine: files, commands, terminals' },
  { value: 'specialized', label: 'Specialised', hint: 'Used only when asked for by name' },
]

interface AddNodeProps {
  /** The control that chooses another kind. */
  head: ReactNode
  onAdded: (made: NodeInvitation) => void
  onClose: () => void
}

/** Adds a machine that connects to us; ends with a command to paste there. */
export function AddNode({ head, onAdded, onClose }: AddNodeProps) {
  const ids = { name: useId(), role: useId(), workspace: useId() }
  const taken = useDeckhand((state) => state.nodes)?.map((node) => node.id) ?? []
  const [name, setName] = useState('')
  const [role, setRole] = useState<NodeRole>('execution')
  const [workspace, setWorkspace] = useState('')
  const [checked, setChecked] = useState(false)
  const [report, setReport] = useState<ReportState>(null)
  const first = useRef<HTMLInputElement>(null)
  useEffect(() => first.current?.focus(), [])
  const error = checked ? nodeNameError(name.trim(), taken) : undefined

  const add = (event: FormEvent) => {
    event.preventDefault()
    setChecked(true)
    if (nodeNameError(name.trim(), taken)) return
    setReport({ tone: 'busy', words: 'Opening the gateway…' })
    const folder = workspace.trim()
    call('node.add', { id: name.trim(), role, ...(folder ? { workspace: folder } : {}) }).then(
      onAdded,
      (reason: Error) => setReport({ tone: 'bad', words: reason.message }),
    )
  }

  return (
    <form className="page-form" aria-label="Add a node" onSubmit={add} noValidate>
      {head}
      <FormRow
        id={ids.name}
        label="Name"
        error={error}
        hint="The name that you and the agent use. You can change it later."
      >
        <input
          ref={first}
          className="ui-input"
          placeholder="build-server"
          spellCheck={false}
          value={name}
          onChange={(event) => setName(event.target.value)}
          {...described(ids.name, error, true)}
        />
      </FormRow>
      <SelectRow label="Role" value={role} options={ROLES} onChange={setRole} />
      <TextRow
        label="Workspace"
        mono
        hint="A folder on that machine. Defaults to where the command is run."
        placeholder="/srv/project"
        value={workspace}
        onChange={setWorkspace}
      />
      <div className="ui-row page-form-foot">
        <Button kind="primary" type="submit" disabled={report?.tone === 'busy'}>
          Show command
        </Button>
        <Button kind="quiet" onClick={onClose}>
          Cancel
        </Button>
        <Report report={report} />
      </div>
    </form>
  )
}
