import './approval.css'
import './origins.css'
import { Scale, Trash2 } from 'lucide-react'
import { useEffect, useState } from 'react'
import type { Rule } from '../../src-preload/contract/approval'
import { Page } from '../page/Page'
import { call } from '../state/bridge'
import { showLastUse } from '../state/navigate'
import { setState, useDeckhand } from '../state/store'
import { announce, attempt } from '../state/toasts'
import { Button, Empty, SearchField, When } from '../ui'
import { filterRules, type Names, scopeWords } from './rule-words'
import { Sentence } from './Sentence'

/** Every saved rule, what it covers and how often it was used; each can be revoked at once. */
export function RulesPage() {
  const rules = useDeckhand((state) => state.rules)
  const sessions = useDeckhand((state) => state.sessions)
  const [filter, setFilter] = useState('')
  const processes = useDeckhand((state) => state.processes)
  const names: Names = {
    session: (id) => sessions[id] && (sessions[id].title || 'New session'),
    process: (id) => processes[id]?.title,
  }
  const shown = filterRules(rules, filter, names)
  const aimed = useDeckhand((state) => state.aimedRule?.id)
  useEffect(() => {
    if (aimed === undefined) return
    document.getElementById(`rule-${aimed}`)?.scrollIntoView({ block: 'center' })
    // The next visit shows all rules again.
    return () => setState({ aimedRule: null })
  }, [aimed])

  return (
    <Page
      title="Rules"
      hint="Saved approvals and denials. You can revoke any of them at any time."
      actions={
        rules.length > 0 && (
          <SearchField
            label="Filter rules"
            placeholder="Filter"
            className="approval-filter"
            value={filter}
            onChange={setFilter}
          />
        )
      }
    >
      {rules.length === 0 && (
        <Empty icon={<Scale size={28} />} title="No rules yet">
          Choose “Always” on an approval card to save your answer. It appears here in the same words, with how often it
          was used, and you can revoke it at any time.
        </Empty>
      )}
      {rules.length > 0 && shown.length === 0 && (
        <Empty title="No matching rules">
          <Button onClick={() => setFilter('')}>Show all rules</Button>
        </Empty>
      )}
      {shown.length > 0 && (
        <table className="approval-rules">
          <thead>
            <tr>
              <th scope="col">Rule</th>
              <th scope="col">Applies to</th>
              <th scope="col">Last used</th>
              <th scope="col">Uses</th>
              <th scope="col">Created</th>
              <th scope="col">
                <span className="sr-only">Revoke</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {shown.map((rule) => (
              <RuleRow key={rule.id} rule={rule} names={names} aimed={aimed === rule.id} />
            ))}
          </tbody>
        </table>
      )}
    </Page>
  )
}

function RuleRow({ rule, names, aimed }: { rule: Rule; names: Names; aimed: boolean }) {
  const revoke = () => attempt(call('rule.revoke', { id: rule.id }).then(() => announce(`Revoked: ${rule.sentence}`)))
  return (
    <tr id={`rule-${rule.id}`} data-verdict={rule.verdict} data-aimed={aimed || undefined}>
      <th scope="row">
        <Sentence text={rule.sentence} />
      </th>
      <td title={rule.subject}>
        {scopeWords(rule, names)}
        {rule.expiresAt !== null && (
          <span className="ui-quiet approval-expiry">until {new Date(rule.expiresAt).toLocaleString()}</span>
        )}
      </td>
      <td>
        {rule.lastUsedAt === null ? (
          'never'
        ) : (
          <button
            type="button"
            className="ui-link approval-place"
            title="Show it in the chat"
            onClick={() => showLastUse(rule.id)}
          >
            <When time={rule.lastUsedAt} />
          </button>
        )}
      </td>
      <td className="approval-number">{rule.useCount}</td>
      <td>
        <When time={rule.createdAt} />
      </td>
      <td>
        <Button kind="danger" icon={<Trash2 size={14} />} aria-label={`Revoke: ${rule.sentence}`} onClick={revoke}>
          Revoke
        </Button>
      </td>
    </tr>
  )
}
