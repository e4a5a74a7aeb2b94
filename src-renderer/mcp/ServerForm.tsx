import { useId } from 'react'
import { Choice } from '../page/Choice'
import { Fold } from '../page/Fold'
import { Form } from '../page/Form'
import { FormRow } from '../page/FormRow'
import { AreaRow, TextRow } from '../page/TextRow'
import { useDraft } from '../page/use-draft'
import { call } from '../state/bridge'
import { useDeckhand } from '../state/store'
import { Button, Switch } from '../ui'
import { draftErrors, type ServerDraft, toConfig } from './server-draft'

const kinds = [
  { value: 'command', label: 'Command' },
  { value: 'url', label: 'URL' },
] as const

type ServerDraftForm = ReturnType<typeof useDraft<ServerDraft, keyof ReturnType<typeof draftErrors>>>

function MoreOptions({ form: { draft, change, field } }: { form: ServerDraftForm }) {
  const runs = draft.kind === 'command'
  const folderId = useId()
  return (
    <div className="page-form-wide">
      <Fold label={runs ? 'Variables and folder' : 'Headers and folder'} startOpen={draft.previousId !== undefined}>
        {runs ? (
          <>
            <AreaRow
              label="Variables"
              className="mcp-pairs"
              hint="NAME=value, one per line. Keys and tokens are stored in the keychain. No other environment variables are passed on."
              {...field('variables')}
            />
            <TextRow label="Folder" mono hint="Where it starts. Defaults to your home folder." {...field('cwd')} />
          </>
        ) : (
          <AreaRow
            label="Headers"
            className="mcp-pairs"
            hint="Name: value, one per line. Keys and tokens are stored in the keychain."
            {...field('headers')}
          />
        )}
        <FormRow
          id={folderId}
          label="Share folder"
          hint="Tells the server which folder the session works in. Some servers then work only in that folder, whatever their arguments say."
        >
          <Switch id={folderId} checked={draft.tellFolder} onChange={(tellFolder) => change({ tellFolder })} />
        </FormRow>
      </Fold>
    </div>
  )
}

export function ServerForm({ start, onDone }: { start: ServerDraft; onDone: () => void }) {
  const taken = useDeckhand((state) => state.mcp)?.map(({ id }) => id) ?? []
  const form = useDraft(start, (draft: ServerDraft) => draftErrors(draft, taken))
  const { draft, report, change, field } = form
  const runs = draft.kind === 'command'

  const save = () => {
    const previous = draft.previousId ? { previousId: draft.previousId } : {}
    form.save(draft.id, () => call('mcp.save', { id: draft.id, config: toConfig(draft), ...previous }), onDone)
  }
  const test = () => {
    const known = draft.previousId ? { id: draft.previousId } : {}
    form.attempt(
      'Starting…',
      () => call('mcp.test', { config: toConfig(draft), ...known }),
      ({ ok, message }) => ({ tone: ok ? 'good' : 'bad', words: message }),
    )
  }

  return (
    <Form
      label={draft.previousId ? `Edit ${draft.previousId}` : 'New MCP server'}
      report={report}
      actions={
        <Button onClick={test} disabled={report?.tone === 'busy'}>
          Test
        </Button>
      }
      onSubmit={save}
      onCancel={onDone}
    >
      <TextRow label="Name" mono hint="Tools are named name__tool." {...field('id')} />
      <span className="page-form-label">Connects by</span>
      <div>
        <Choice label="Connects by" value={draft.kind} options={kinds} onChange={(kind) => change({ kind })} />
      </div>
      {runs ? (
        <TextRow
          label="Command"
          mono
          hint="Runs with your permissions on this machine."
          placeholder="npx -y @modelcontextprotocol/server-filesystem /home/me/notes"
          {...field('command')}
        />
      ) : (
        <TextRow
          label="URL"
          mono
          hint="A server that uses streamable HTTP."
          placeholder="https://example.com/mcp"
          {...field('url')}
        />
      )}
      <MoreOptions form={form} />
    </Form>
  )
}
