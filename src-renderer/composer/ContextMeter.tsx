import type { Usage } from '../../src-preload/contract/sessions'
import { money, tokens } from '../state/format'
import { useDeckhand } from '../state/store'
import { Tooltip } from '../ui'

/** How full the model's memory is, and what the session has cost. */
export function ContextMeter({ sessionId }: { sessionId: string }) {
  const usage = useDeckhand((state) => state.sessions[sessionId]?.usage)
  if (!usage || (usage.contextWindow <= 0 && usage.contextTokens <= 0)) return null
  if (usage.contextWindow <= 0) return <UnknownWindow usage={usage} />
  const percent = contextPercent(usage)
  return (
    <Tooltip side="top" text={<MeterWords usage={usage} />}>
      <button type="button" className="composer-meter" data-full={percent >= 80 || undefined}>
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
        <span>
          {percent}%<span className="sr-only"> of context used</span>
        </span>
        {(usage.cost ?? 0) > 0 && <span className="composer-cost">{money(usage.cost ?? 0)}</span>}
      </button>
    </Tooltip>
  )
}

/** Nobody says how large the window is, so there is no share of it to show. */
function UnknownWindow({ usage }: { usage: Usage }) {
  return (
    <Tooltip side="top" text={<MeterWords usage={usage} />}>
      <button type="button" className="composer-meter">
        <span>{tokens(usage.contextTokens)}</span>
        {(usage.cost ?? 0) > 0 && <span className="composer-cost">{money(usage.cost ?? 0)}</span>}
      </button>
    </Tooltip>
  )
}

const contextPercent = (usage: Usage) => Math.min(100, Math.round((usage.contextTokens / usage.contextWindow) * 100))

function MeterWords({ usage }: { usage: Usage }) {
  return (
    <span className="composer-meter-words">
      <span>
        Context: {tokens(usage.contextTokens)}
        {usage.contextWindow > 0 ? ` of ${tokens(usage.contextWindow)}` : ''} tokens
        {usage.contextWindow > 0 ? '' : '; context size unknown (set it in Settings, Models)'}
      </span>
      <span>
        Session: {tokens(usage.inputTokens)} in ({tokens(usage.cachedTokens)} cached), {tokens(usage.outputTokens)} out
      </span>
      <span>Cost: {usage.cost === null ? 'unknown' : `$${usage.cost.toFixed(4)}`}</span>
    </span>
  )
}
