import { type FormEvent, useEffect, useId, useRef, useState } from 'react'
import { Choice } from '../page/Choice'
import { Fold } from '../page/Fold'
import { described, FormRow } from '../page/FormRow'
import { Report, type ReportState } from '../page/Report'
import { announce } from '../state/actions'
import { call } from '../state/bridge'
import { applyEvents, useDeckhand } from '../state/store'
import { Button } from '../ui'
import { draftErrors, type ServerDraft, toConfig } from './server-draft'

const kinds = [
  { value: 'command', label: 'A command' },
  { value: 'url', label: 'An address' },
] as const

/** A server to add or change. */
export function ServerForm({ start, onDone }: { start: ServerDraft; onDone: () => void }) {
  const ids = { name: useId(), command: useId(), url: useId(), pairs: useId(), cwd: useId() }
  const [draft, setDraft] = useState(start)
  const [checked, setChecked] = useState(false)
  const [report, setReport] = useState<ReportState>(null)
  const taken = useDeckhand((state) => state.mcp)?.map(({ id }) => id) ?? []
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => form.current?.querySelector<HTMLInputElement>('input.ui-input')?.focus(), [])
  const errors = checked ? draftErrors(draft, taken) : {}
  const change = (part: Partial<ServerDraft>) => {
    setDraft({ ...draft, ...part })
    setReport(null)
  }
  const complete = (): boolean => {
    setChecked(true)
    return Object.keys(draftErrors(draft, taken)).length === 0
  }
  const failed = (error: Error) => setReport({ tone: 'bad', words: error.message })

  const save = (event: FormEvent) => {
    event.preventDefault()
    if (!complete()) return
    setReport({ tone: 'busy', words: 'Saving…' })
    const previous = draft.previousId ? { previousId: draft.previousId } : {}
    call('mcp.save', { id: draft.id, config: toConfig(draft), ...previous }).then((servers) => {
      applyEvents([{ type: 'mcp', servers }])
      announce(`${draft.id} is saved`)
      onDone()
    }, failed)
  }
  const test = () => {
    if (!complete()) return
    setReport({ tone: 'busy', words: 'Starting it…' })
    const known = draft.previousId ? { id: draft.previousId } : {}
    call('mcp.test', { config: toConfig(draft), ...known }).then(
      ({ ok, message }) => setReport({ tone: ok ? 'good' : 'bad', words: message }),
      failed,
    )
  }

  return (
    <form
      ref={form}
      className="page-form"
      aria-label={draft.previousId ? `Change ${draft.previousId}` : 'New MCP server'}
      onSubmit={save}
      noValidate
    >
      <FormRow id={ids.name} label="Name" error={errors.id} hint="Its tools are called name__tool.">
        <input
          className="ui-input page-mono"
          spellCheck={false}
          value={draft.id}
          onChange={(event) => change({ id: event.target.value })}
          {...described(ids.name, errors.id, true)}
        />
      </FormRow>
      <span className="page-form-label">Reached by</span>
      <div>
        <Choice label="Reached by" value={draft.kind} options={kinds} onChange={(kind) => change({ kind })} />
      </div>
      {draft.kind === 'command' ? (
        <FormRow
          id={ids.command}
          label="Command"
          error={errors.command}
          hint="It runs with your rights on this machine."
        >
          <input
            className="ui-input page-mono"
            placeholder="npx -y @modelcontextprotocol/server-filesystem /home/me/notes"
            spellCheck={false}
            value={draft.command}
            onChange={(event) => change({ command: event.target.value })}
            {...described(ids.command, errors.command, true)}
          />
        </FormRow>
      ) : (
        <FormRow id={ids.url} label="Address" error={errors.url} hint="Of a server that speaks streamable HTTP.">
          <input
            className="ui-input page-mono"
            placeholder="https://example.com/mcp"
            spellCheck={false}
            value={draft.url}
            onChange={(event) => change({ url: event.target.value })}
            {...described(ids.url, errors.url, true)}
          />
        </FormRow>
      )}
      <div className="page-form-wide">
        <Fold
          label={draft.kind === 'command' ? 'Variables and folder' : 'Headers'}
          startOpen={draft.previousId !== undefined}
        >
          {draft.kind === 'command' ? (
            <>
              <FormRow
                id={ids.pairs}
                label="Variables"
                error={errors.variables}
                hint="NAME=value, one a line. Keys and tokens are kept in the keychain. Nothing else of your environment is passed on."
              >
                <textarea
                  className="page-textarea page-mono mcp-pairs"
                  spellCheck={false}
                  value={draft.variables}
                  onChange={(event) => change({ variables: event.target.value })}
                  {...described(ids.pairs, errors.variables, true)}
                />
              </FormRow>
              <FormRow id={ids.cwd} label="Folder" hint="Where it starts. Your home folder when left out.">
                <input
                  className="ui-input page-mono"
                  spellCheck={false}
                  value={draft.cwd}
                  onChange={(event) => change({ cwd: event.target.value })}
                  {...described(ids.cwd, undefined, true)}
                />
              </FormRow>
            </>
          ) : (
            <FormRow
              id={ids.pairs}
              label="Headers"
              error={errors.headers}
              hint="Name: value, one a line. Keys and tokens are kept in the keychain."
            >
              <textarea
                className="page-textarea page-mono mcp-pairs"
                spellCheck={false}
                value={draft.headers}
                onChange={(event) => change({ headers: event.target.value })}
                {...described(ids.pairs, errors.headers, true)}
              />
            </FormRow>
          )}
        </Fold>
      </div>
      <div className="page-form-foot">
        <Button kind="primary" type="submit" disabled={report?.tone === 'busy'}>
          Save
        </Button>
        <Button onClick={test} disabled={report?.tone === 'busy'}>
          Test
        </Button>
        <Button kind="quiet" onClick={onDone}>
          Cancel
        </Button>
        <Report report={report} />
      </div>
    </form>
  )
}
