import { Trash2 } from 'lucide-react'
import { type KeyboardEvent, useState } from 'react'
import type { AgentFileContent } from '../../src-preload/contract/agents'
import { Confirm } from '../page/Confirm'
import { Loaded } from '../page/Loaded'
import { useAsk } from '../page/use-ask'
import { call } from '../state/bridge'
import { matches } from '../state/shortcuts'
import { setState, useDeckhand } from '../state/store'
import { announce, attempt, toast } from '../state/toasts'
import type { FileDraft } from '../state/view'
import { Button, IconButton } from '../ui'
import { draftKey, isConflict } from './agent-words'

interface FileEditorProps {
  agentId: string
  path: string
  /** What the file is for, in one line. */
  purpose: string
  onDeleted: () => void
}

/**
 * One file as plain text. Unsaved text survives a visit to another page, and a change on disk is never overwritten
 * unseen.
 */
export function FileEditor({ agentId, path, purpose, onDeleted }: FileEditorProps) {
  const key = draftKey(agentId, path)
  const draft = useDeckhand((state) => state.fileDrafts[key])
  const changes = useDeckhand((state) => state.agentChanges)
  const [disk, setDisk] = useState<AgentFileContent | null>(null)
  const [deleting, setDeleting] = useState(false)
  const read = () => call('agent.read', { id: agentId, path })
  const asked = useAsk(() => read().then(setDisk), String(changes))
  const content = disk?.content ?? ''
  const conflict = disk !== null && isConflict(draft, content)

  const write = async (text: string) => {
    await call('agent.write', { id: agentId, path, content: text })
    setDisk({ path, content: text, exists: true })
    keepDraft(key, undefined)
    announce(`Saved ${path}`)
  }
  const save = async () => {
    if (!draft) return
    const fresh = await read()
    setDisk(fresh)
    if (isConflict(draft, fresh.content))
      return toast({ kind: 'error', text: `${path} changed on disk. Choose which version to keep.` })
    await write(draft.text)
  }
  const change = (text: string) =>
    keepDraft(key, text === content && !conflict ? undefined : { base: draft?.base ?? content, text })
  const onKeyDown = (event: KeyboardEvent) => {
    if (!matches('Mod+S', event)) return
    event.preventDefault()
    attempt(save())
  }
  const remove = () =>
    attempt(
      call('agent.deleteFile', { id: agentId, path }).then(() => {
        keepDraft(key, undefined)
        onDeleted()
      }),
    )

  return (
    <Loaded asked={asked} ready={disk !== null} what={path}>
      <section className="agents-editor" aria-label={path}>
        <header>
          <h3>{path}</h3>
          <span className="page-state" role="status">
            {draft ? 'not saved' : disk?.exists ? '' : 'empty'}
          </span>
          <span className="ui-row page-card-tools">
            {disk?.exists && (
              <IconButton
                label={`Delete ${path}`}
                kind="danger"
                icon={<Trash2 size={14} />}
                onClick={() => setDeleting(true)}
              />
            )}
            {draft && (
              <Button kind="quiet" onClick={() => keepDraft(key, undefined)}>
                Discard
              </Button>
            )}
            <Button kind="primary" title="Ctrl+S" disabled={!draft || conflict} onClick={() => attempt(save())}>
              Save
            </Button>
          </span>
        </header>
        {purpose && <p className="agents-purpose">{purpose}</p>}
        {conflict && draft && (
          <div className="ui-row page-note" role="alert">
            <span>This file changed on disk while you were editing it, perhaps by the agent.</span>
            <Button onClick={() => keepDraft(key, undefined)}>Use the version on disk</Button>
            <Button onClick={() => attempt(write(draft.text))}>Keep mine</Button>
          </div>
        )}
        <textarea
          className="agents-text"
          aria-label={`Text of ${path}`}
          spellCheck={false}
          placeholder={disk?.exists ? '' : 'Empty. You can use Markdown.'}
          value={draft?.text ?? content}
          onChange={(event) => change(event.target.value)}
          onKeyDown={onKeyDown}
        />
      </section>
      <Confirm
        open={deleting}
        title={`Delete ${path}?`}
        action="Delete"
        keep="Cancel"
        onClose={() => setDeleting(false)}
        onConfirm={remove}
      >
        The agent will no longer see it. This cannot be undone.
      </Confirm>
    </Loaded>
  )
}

function keepDraft(key: string, draft: FileDraft | undefined): void {
  setState((state) => {
    const { [key]: _, ...others } = state.fileDrafts
    return { fileDrafts: draft ? { ...others, [key]: draft } : others }
  })
}
