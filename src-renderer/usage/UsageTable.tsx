import type { Spent } from '../../src-preload/contract/usage'
import { tokens } from '../state/format'
import { cachedShare, costWords } from './usage-words'

export interface UsageRow {
  key: string
  name: string
  spent: Spent
  /** Opens what the row is about. */
  open?: () => void
}

const HEADS = { day: 'Day', model: 'Model', session: 'Session' }

/** One row per day, model or session, with a bar relative to the most expensive one. */
export function UsageTable({ by, rows }: { by: keyof typeof HEADS; rows: UsageRow[] }) {
  const most = Math.max(...rows.map(({ spent }) => weight(spent)), Number.MIN_VALUE)
  return (
    <table className="usage-table">
      <thead>
        <tr>
          <th scope="col">{HEADS[by]}</th>
          <th scope="col">Requests</th>
          <th scope="col">In</th>
          <th scope="col">From cache</th>
          <th scope="col">To cache</th>
          <th scope="col">Out</th>
          <th scope="col">Cost</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ key, name, spent, open }) => (
          <tr key={key}>
            <th scope="row" title={name}>
              <span className="usage-bar" style={{ width: `${(weight(spent) / most) * 100}%` }} aria-hidden />
              {open ? (
                <button type="button" className="ui-link usage-link" onClick={open}>
                  {name}
                </button>
              ) : (
                <span>{name}</span>
              )}
            </th>
            <td>{spent.requests}</td>
            <td>{tokens(spent.inputTokens)}</td>
            <td>{cachedShare(spent)}</td>
            <td>{tokens(spent.cacheWriteTokens)}</td>
            <td>{tokens(spent.outputTokens)}</td>
            <td>{costWords(spent)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** Dollars; if the price is unknown, tokens count as a tiny amount, so that bars can still be compared. */
const weight = ({ cost, unpricedTokens }: Spent): number => (cost ?? 0) + unpricedTokens / 1e9
