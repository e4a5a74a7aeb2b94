import { useEffect } from 'react'
import type { Usage } from '../../src-preload/contract/sessions'
import { tokens } from '../state/format'
import { load } from '../state/load'
import { showPage } from '../state/navigate'
import { useDeckhand } from '../state/store'
import { attempt } from '../state/toasts'
import { Tooltip } from '../ui'
import { shortCost, spentLine } from '../usage/usage-words'

/**
 * How full the model's context is, and what the session has cost; on hover also the turn, the session and the month. A
 * click opens the history.
 */
export function ContextMeter({ sessionId }: { sessionId: string }) {
  const usage = useDeckhand((state) => state.sessions[sessionId]?.usage)
  // What a sub-agent uses counts towards the session that started it.
  const rootId = useDeckhand((state) => state.sessions[sessionId]?.parentId ?? sessionId)
  const spending = useDeckhand((state) => state.spending[rootId])
  const isKnown = spending !== undefined
  useEffect(() => {
    if (!isKnown) attempt(load('usage.spending', { sessionId: rootId }))
  }, [rootId, isKnown])
  if (!usage || (usage.contextWindow <= 0 && usage.contextTokens <= 0)) return null
  const percent = contextPercent(usage)
  return (
    <Tooltip side="top" text={<MeterWords usage={usage} rootId={rootId} />}>
      <button
        type="button"
        className="composer-meter"
        aria-label={`${contextWords(usage)}. Show usage and cost`}
        data-full={(percent ?? 0) >= 80 || undefined}
        onClick={() => showPage('usage')}
      >
        {percent === null ? (
          <span>{tokens(usage.contextTokens)}</span>
        ) : (
          <>
            <Ring percent={percent} />
            <span>{percent}%</span>
          </>
        )}
        {spending && spending.session.requests > 0 && (
          <span className="composer-cost">{shortCost(spending.session)}</span>
        )}
      </button>
    </Tooltip>
  )
}

function Ring({ percent }: { percent: number }) {
  return (
    <svg viewBox="0 0 16 16" width="15" height="15" aria-hidden="true">
      <circle cx="8" cy="8" r="6" pathLength="100" className="composer-meter-track" />
      <circle
        cx="8"
        cy="8"
        r="6"
        pathLength="100"
        className="composer-meter-fill"
        strokeDasharray={`${percent} 100`}
        transform="rotate(-90 8 8)"
      />
    </svg>
  )
}

/** Null if the size of the context window is unknown. */
const contextPercent = ({ contextTokens, contextWindow }: Usage): number | null =>
  contextWindow > 0 ? Math.min(100, Math.round((contextTokens / contextWindow) * 100)) : null

const contextWords = (usage: Usage): string => {
  const percent = contextPercent(usage)
  return percent === null ? `${tokens(usage.contextTokens)} tokens of context used` : `${percent}% of context used`
}

function MeterWords({ usage, rootId }: { usage: Usage; rootId: string }) {
  const spending = useDeckhand((state) => state.spending[rootId])
  const month = useDeckhand((state) => state.monthSpent)
  const rows: [string, string][] = [
    [
      'Context',
      usage.contextWindow > 0
        ? `${tokens(usage.contextTokens)} of ${tokens(usage.contextWindow)} tokens`
        : `${tokens(usage.contextTokens)} tokens; the size of the window is not known`,
    ],
  ]
  if (spending?.turn) rows.push(['Turn', spentLine(spending.turn)])
  if (spending) rows.push(['Session', spentLine(spending.session)])
  if (month) rows.push(['Month', spentLine(month)])
  return (
    <span className="ui-column composer-meter-words">
      {rows.map(([name, words]) => (
        <span key={name}>
          <b>{name}</b>
          <span>{words}</span>
        </span>
      ))}
    </span>
  )
}
