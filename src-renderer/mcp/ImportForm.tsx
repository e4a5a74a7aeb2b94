import { useState } from 'react'
import type { McpImport } from '../../src-preload/contract/mcp'
import { Form } from '../page/Form'
import type { ReportState } from '../page/Report'
import { AreaRow } from '../page/TextRow'
import { call } from '../state/bridge'
import { useDeckhand } from '../state/store'
import { announce } from '../state/toasts'
import { joinWords } from './server-draft'

/** Imports servers from another program's configuration. They are shown first, and started only when they are added. */
export function ImportForm({ onDone }: { onDone: () => void }) {
  const [text, setText] = useState('')
  const [found, setFound] = useState<McpImport | null>(null)
  const [report, setReport] = useState<ReportState>(null)
  const taken = useDeckhand((state) => state.mcp)?.map((server) => server.id) ?? []
  const failed = (error: Error) => setReport({ tone: 'bad', words: error.message })
  const fresh = found?.servers.filter((server) => !taken.includes(server.id)) ?? []

  const look = () => {
    setReport(null)
    call('mcp.import', { text }).then(setFound, failed)
  }
  const add = async () => {
    setReport({ tone: 'busy', words: 'Adding…' })
    for (const server of fresh) await call('mcp.save', server)
    announce(fresh.length === 1 ? 'Added 1 server' : `Added ${fresh.length} servers`)
    onDone()
  }
  const submit = () => {
    if (found) add().catch(failed)
    else look()
  }

  return (
    <Form
      label="Import configuration"
      submit={found ? (fresh.length === 1 ? 'Add and start' : `Add and start ${fresh.length}`) : 'Check'}
      disabled={!text.trim() || (found !== null && fresh.length === 0)}
      report={report}
      onSubmit={submit}
      onCancel={onDone}
    >
      <AreaRow
        label="Configuration"
        className="mcp-paste"
        hint="JSON with mcpServers, or TOML with [tools.mcp_servers.name], as other programs use."
        value={text}
        onChange={(next) => {
          setText(next)
          setFound(null)
          setReport(null)
        }}
      />
      {found && (
        <div className="page-form-wide">
          <ul className="mcp-found" aria-label="Servers found">
            {found.servers.map(({ id: name, config }) => (
              <li key={name}>
                <strong>{name}</strong>
                <code>{config.command ? joinWords([config.command, ...(config.args ?? [])]) : config.url}</code>
                {taken.includes(name) && <span className="page-hint">already added</span>}
              </li>
            ))}
          </ul>
          {found.warnings.map((warning) => (
            <p key={warning} className="page-caution">
              {warning}
            </p>
          ))}
        </div>
      )}
    </Form>
  )
}
