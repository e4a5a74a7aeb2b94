import { ChevronLeft, ChevronRight, Wallet } from 'lucide-react'
import { useEffect, useState } from 'react'
import type { UsageHistory } from '../../src-preload/contract/usage'
import { Choice } from '../page/Choice'
import { Page } from '../page/Page'
import { call } from '../state/bridge'
import { tokens, visible } from '../state/format'
import { openSettings, selectSession } from '../state/navigate'
import { useDeckhand } from '../state/store'
import { Button, Empty, IconButton, Skeleton } from '../ui'
import { type UsageRow, UsageTable } from './UsageTable'
import './usage.css'
import { cachedShare, costWords, daysOf, dayWords, monthAway, monthOf, monthWords } from './usage-words'

type By = 'day' | 'model' | 'session'

const CHOICES: readonly { value: By; label: string }[] = [
  { value: 'day', label: 'Day' },
  { value: 'model', label: 'Model' },
  { value: 'session', label: 'Session' },
]

/** The usage of models in a month, and its cost. */
export function UsagePage() {
  const [month, setMonth] = useState(() => monthOf(new Date()))
  const [by, setBy] = useState<By>('day')
  const { history, error } = useHistory(month)
  const isThisMonth = month === monthOf(new Date())
  return (
    <Page
      title="Usage"
      hint="Tokens used, and what they cost where prices are known."
      actions={
        <>
          <IconButton
            label="Previous month"
            icon={<ChevronLeft size={16} />}
            onClick={() => setMonth(monthAway(month, -1))}
          />
          <span className="usage-month">{monthWords(month)}</span>
          <IconButton
            label="Next month"
            icon={<ChevronRight size={16} />}
            disabled={isThisMonth}
            onClick={() => setMonth(monthAway(month, 1))}
          />
          <Button onClick={() => openSettings('spending')}>Set a cap…</Button>
        </>
      }
    >
      {error && (
        <p className="settings-error" role="alert">
          {error}
        </p>
      )}
      {!history && !error && <Skeleton rows={5} />}
      {history && history.total.requests === 0 && (
        <Empty icon={<Wallet size={20} />} title={`No usage in ${monthWords(month)}`}>
          Each request to a model is counted here: its tokens, cache hits and cost.
        </Empty>
      )}
      {history && history.total.requests > 0 && (
        <>
          <Totals history={history} />
          <div className="usage-by">
            <Choice label="Group by" value={by} options={CHOICES} onChange={setBy} />
          </div>
          <UsageTable by={by} rows={rowsBy(history, by)} />
        </>
      )}
    </Page>
  )
}

/** Loaded again whenever something was spent. */
function useHistory(month: string): { history: UsageHistory | null; error: string } {
  const spent = useDeckhand((state) => state.monthSpent)
  const [history, setHistory] = useState<UsageHistory | null>(null)
  const [error, setError] = useState('')
  // biome-ignore lint/correctness/useExhaustiveDependencies: what was spent is not read here, but changes the answer
  useEffect(() => {
    let isCurrent = true
    call('usage.history', daysOf(month)).then(
      (answer) => {
        if (!isCurrent) return
        setHistory(answer)
        setError('')
      },
      (reason: Error) => isCurrent && setError(reason.message),
    )
    return () => {
      isCurrent = false
    }
  }, [month, spent])
  return { history, error }
}

function Totals({ history: { total } }: { history: UsageHistory }) {
  const facts: [string, string][] = [
    ['Cost', costWords(total)],
    ['Requests', String(total.requests)],
    ['Tokens in', tokens(total.inputTokens)],
    ['From cache', cachedShare(total)],
    ['Tokens out', tokens(total.outputTokens)],
  ]
  return (
    <>
      <dl className="usage-totals">
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {total.unpricedTokens > 0 && (
        <p className="page-hint">
          {tokens(total.unpricedTokens)} tokens were used by models with unknown prices.{' '}
          <button type="button" className="ui-link usage-link" onClick={() => openSettings('models')}>
            Enter prices
          </button>
        </p>
      )}
    </>
  )
}

function rowsBy(history: UsageHistory, by: By): UsageRow[] {
  if (by === 'day') return history.days.map((spent) => ({ key: spent.day, name: dayWords(spent.day), spent }))
  if (by === 'model') return history.models.map((spent) => ({ key: spent.model, name: visible(spent.model), spent }))
  return history.sessions.map((spent) => ({
    key: spent.sessionId,
    name: spent.title === null ? 'Deleted session' : visible(spent.title),
    spent,
    open: spent.title === null ? undefined : () => selectSession(spent.sessionId),
  }))
}
