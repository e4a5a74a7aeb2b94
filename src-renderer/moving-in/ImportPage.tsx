import './moving-in.css'
import { PackageOpen } from 'lucide-react'
import { useState } from 'react'
import type { ImportFound, ImportItem, ImportReport } from '../../src-preload/contract/moving-in'
import { Loaded } from '../page/Loaded'
import { Page } from '../page/Page'
import { useAsk } from '../page/use-ask'
import { call } from '../state/bridge'
import { count } from '../state/format'
import { attempt } from '../state/toasts'
import { Button, Empty } from '../ui'
import { ImportGroup } from './ImportGroup'
import { groupsOf, preset, toolNames } from './import-words'

/**
 * What other agents on this machine have: what each item becomes here, what cannot be imported, and a check box for
 * each.
 */
export function ImportPage() {
  const [found, setFound] = useState<ImportFound | null>(null)
  const [ticked, setTicked] = useState<ReadonlySet<string>>(new Set())
  const [report, setReport] = useState<ImportReport | null>(null)
  const [busy, setBusy] = useState(false)
  const show = (next: ImportFound, ticks: (item: ImportItem) => boolean) => {
    setFound(next)
    setTicked(new Set(next.items.filter(ticks).map(({ id }) => id)))
  }
  const asked = useAsk(() => call('import.preview', {}).then((first) => show(first, preset)))
  const take = async () => {
    setBusy(true)
    try {
      setReport(await call('import.take', { ids: [...ticked] }))
      // What was unticked stays so; what is still ticked could not be imported.
      show(await call('import.preview', {}), ({ id, state }) => state === 'ready' && ticked.has(id))
    } finally {
      setBusy(false)
    }
  }
  const tick = (items: readonly ImportItem[], on: boolean) => {
    const next = new Set(ticked)
    for (const { id } of items) {
      if (on) next.add(id)
      else next.delete(id)
    }
    setTicked(next)
  }
  const groups = groupsOf(found?.items ?? [])

  return (
    <Page
      title="Import"
      hint="From Claude Code, Codex, opencode, Gemini and VS Code. Nothing is written back to them. Rules and hooks are imported only if you select them."
      actions={
        <Button kind="primary" disabled={busy || ticked.size === 0} onClick={() => attempt(take())}>
          {busy ? 'Importing…' : `Import ${count(ticked.size, 'item', 'items')}`}
        </Button>
      }
    >
      <Loaded asked={asked} ready={found !== null} what="What other agents have">
        {report && <Done report={report} />}
        {found?.items.length === 0 && (
          <Empty icon={<PackageOpen size={28} />} title="Nothing to import">
            <p>None of these programs has been used on this machine.</p>
          </Empty>
        )}
        {groups.map(({ tool, kinds }) => (
          <section key={tool} className="ui-column import-tool" aria-label={toolNames[tool]}>
            <h2>{toolNames[tool]}</h2>
            {kinds.map(({ kind, items }) => (
              <ImportGroup key={kind} kind={kind} items={items} ticked={ticked} onTick={tick} />
            ))}
          </section>
        ))}
      </Loaded>
    </Page>
  )
}

function Done({ report: { done, failed } }: { report: ImportReport }) {
  return (
    <div className="import-report" role="status">
      <p>{count(done.length, 'item', 'items')} imported.</p>
      {failed.length > 0 && (
        <ul>
          {failed.map(({ id, words }) => (
            <li key={id} className="page-error">
              {words}
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
