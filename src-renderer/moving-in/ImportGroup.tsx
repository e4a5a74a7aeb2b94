import type { ImportItem, ImportKind } from '../../src-preload/contract/moving-in'
import { Sentence } from '../approval/Sentence'
import { visible } from '../state/format'
import { Badge } from '../ui'
import { kindNames, stateWords } from './import-words'

interface ImportGroupProps {
  kind: ImportKind
  items: readonly ImportItem[]
  ticked: ReadonlySet<string>
  onTick: (items: readonly ImportItem[], on: boolean) => void
}

/** The items of one kind, with a check box for each that can be imported. */
export function ImportGroup({ kind, items, ticked, onTick }: ImportGroupProps) {
  const able = items.filter(({ state }) => state === 'ready')
  const all = able.length > 0 && able.every(({ id }) => ticked.has(id))
  return (
    <section className="import-group" aria-label={kindNames[kind]}>
      <header>
        <h3>{kindNames[kind]}</h3>
        {able.length > 1 && kind !== 'rule' && kind !== 'hook' && (
          <label className="ui-row import-all">
            <input type="checkbox" checked={all} onChange={(event) => onTick(able, event.target.checked)} /> All
          </label>
        )}
      </header>
      <ul>
        {items.map((item) => (
          <li key={item.id} data-state={item.state}>
            <label>
              <input
                type="checkbox"
                disabled={item.state !== 'ready'}
                checked={ticked.has(item.id)}
                onChange={(event) => onTick([item], event.target.checked)}
              />
              <span className="import-name">{visible(item.name)}</span>
              {item.state !== 'ready' && <Badge>{stateWords[item.state]}</Badge>}
            </label>
            {item.becomes && (
              <p>
                <Sentence text={item.becomes} />
              </p>
            )}
            {item.note && <p className="page-hint">{visible(item.note)}</p>}
            {item.detail && (kind === 'mcp' || kind === 'hook') && (
              <code className="import-detail">{visible(item.detail)}</code>
            )}
            {item.detail && kind === 'session' && <p className="page-hint">{visible(item.detail)}</p>}
            <p className="page-hint">
              <code>{visible(item.from)}</code>
            </p>
          </li>
        ))}
      </ul>
    </section>
  )
}
