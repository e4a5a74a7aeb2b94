import { nothingSpent, type SpendingEvent, type Spent } from '../../src-preload/contract/usage'
import { CapReached } from '../agent/cap-reached'
import { costOf, worstCost } from '../agent/model-facts'
import type { TokenUsage } from '../agent/usage'
import { atCap, type Cap, type Measure, measure, nearCap, raisesFor, type WorstCase } from './caps'
import { newId } from './ids'
import { addNotice } from './notices'
import { askToGoOn } from './pause'
import type { RunnerCore } from './runner-core'
import type { ModelChoice } from './types'
import { dayOf } from './usage-rows'

/** The user is told when spending reaches this share of a cap. */
const nearShare = 0.8
/** How often the meter moves while a turn runs. */
const mostOftenMs = 250

export type Budget = ReturnType<typeof createBudget>

/**
 * Counts what a turn uses, and keeps each request within what the user allows. Sub-agents count towards their session. A
 * request beside the turns, such as for a title, begins none, and nobody is asked because of it.
 */
export const createBudget = (
  core: RunnerCore,
  sessionId: string,
  choice: ModelChoice,
  signal: AbortSignal,
  beside = false,
) => {
  const { store, publish, settings, interactive } = core.options
  const session = store.sessions.get(sessionId)
  const rootId = store.sessions.lineage(sessionId).at(-1) ?? sessionId
  const { announced, raised, told, firstStarts, turnStarts, underWay } = core.spending
  /** A turn may be under way at the same time. */
  const requestId = beside ? newId('u') : sessionId
  if (!beside && (rootId === sessionId || !turnStarts.has(rootId)))
    turnStarts.set(rootId, store.usage.ofSession(rootId))
  if (!firstStarts.has(rootId)) firstStarts.set(rootId, store.usage.ofSession(rootId))
  const root = store.sessions.find(rootId) ?? session

  let publishedAt = Number.NEGATIVE_INFINITY

  const caps = (): Cap[] => {
    const { sessionCap, sessionCapTokens, dayCap, dayCapTokens } = settings()
    const own = core.options.capFor?.(root)
    const hasSession = sessionCap > 0 || sessionCapTokens > 0
    const total = hasSession || own ? store.usage.ofSession(rootId) : nothingSpent
    const others = [...underWay].flatMap(([id, worst]) => (id === requestId ? [] : [worst]))
    const beside = others.filter((worst) => worst.rootId === rootId)
    const limits: Cap[] = []
    if (own)
      limits.push({
        ...own,
        key: own.allTurns ? `run ${rootId}` : `turn ${rootId}`,
        spent: minus(total, (own.allTurns ? firstStarts : turnStarts).get(rootId) ?? nothingSpent),
        underWay: beside,
      })
    if (hasSession)
      limits.push({
        key: `session ${rootId}`,
        name: 'this session',
        dollars: sessionCap,
        tokens: sessionCapTokens,
        spent: total,
        underWay: beside,
      })
    if (dayCap > 0 || dayCapTokens > 0)
      limits.push({
        key: `day ${dayOf(core.clock())}`,
        name: 'today',
        dollars: dayCap,
        tokens: dayCapTokens,
        spent: store.usage.today(),
        underWay: [...others, ...store.underWay.elsewhere()],
      })
    return limits
  }

  /** Tells other processes of a request before their requests and its own are added up: of two at a time one sees the other. */
  const announce = async (worst: WorstCase): Promise<void> => {
    const { dayCap, dayCapTokens } = settings()
    if (dayCap <= 0 && dayCapTokens <= 0) return
    await core.whenWritable(sessionId, signal, () => store.underWay.put(requestId, worst))
    announced.add(requestId)
  }

  /** Asks whether to go on beyond a cap. Throws `CapReached` if the answer is no, or if there is nobody to ask. */
  const askBeyond = async (cap: Cap, taken: Measure, worst: WorstCase): Promise<void> => {
    const words = atCap(cap, taken)
    if (!interactive || beside) throw new CapReached(words)
    const raise = { key: cap.key, raises: raisesFor(taken) }
    const beyond = `Continue raises the cap to ${taken.words(taken.step * (1 + raise.raises))}.`
    const fits = async (): Promise<boolean> => {
      const again = caps().find(({ key }) => key === cap.key)
      const now = again && measure(again, worst, raised.get(cap.key) ?? 0)
      return !now || now.spent + now.next <= now.limit
    }
    const answer = await askToGoOn(core, sessionId, `${words} ${beyond}`, signal, raise, fits)
    if (answer === 'stop') throw new CapReached(words)
  }

  return {
    /** Before each request. Tells the user near a cap, and asks at it; throws `CapReached` where the turn has to end. */
    check: async (inputTokens: number, outputTokens: number): Promise<void> => {
      const worst: WorstCase = {
        cost: choice.price ? worstCost(choice.price, inputTokens, outputTokens) : null,
        tokens: inputTokens + outputTokens,
      }
      await announce(worst)
      let limits = caps()
      for (const { key } of limits) {
        const cap = limits.find((each) => each.key === key)
        if (!cap) continue
        const raises = raised.get(cap.key) ?? 0
        const taken = measure(cap, worst, raises)
        if (!taken) continue
        const sum = taken.spent + taken.next
        if (sum > taken.limit) {
          endRequest(core, requestId)
          await askBeyond(cap, taken, worst)
          await announce(worst)
          // While the question was open, others may have spent what the next cap had left.
          limits = caps()
        } else if (sum >= taken.limit * nearShare && !told.has(`${cap.key} ${raises}`)) {
          told.add(`${cap.key} ${raises}`)
          addNotice(core, sessionId, { kind: 'spending', text: nearCap(cap, taken) })
        }
      }
      underWay.set(requestId, { ...worst, rootId })
    },
    /** Null if the price is not known. */
    costOf: (usage: TokenUsage): number | null => costOf(choice.price, usage),
    /** Saves what a request took. */
    record: (usage: TokenUsage): void =>
      store.usage.add({ sessionId, rootId, model: session.model, usage, cost: costOf(choice.price, usage) }),
    /** The request has ended. */
    ended: (): void => endRequest(core, requestId),
    /** At a limited rate: a fast model would move the meter many times a second. The end of the turn publishes the total. */
    publish: (): void => {
      if (core.clock() - publishedAt < mostOftenMs) return
      publishedAt = core.clock()
      publish(spendingOf(core, rootId))
    },
  }
}

/** What a request could take counts no longer. */
export const endRequest = ({ options: { store }, spending }: RunnerCore, id: string): void => {
  spending.underWay.delete(id)
  if (spending.announced.delete(id)) store.unsaved.save(`under-way:${id}`, () => store.underWay.remove(id))
}

/** What the meter of a session shows. */
export const spendingOf = (core: RunnerCore, sessionId: string): SpendingEvent => {
  const { store } = core.options
  const rootId = store.sessions.lineage(sessionId).at(-1) ?? sessionId
  const total = store.usage.ofSession(rootId)
  const before = core.spending.turnStarts.get(rootId)
  return {
    type: 'spending',
    sessionId: rootId,
    turn: before ? minus(total, before) : null,
    session: total,
    today: store.usage.today(),
    month: store.usage.month(),
  }
}

const minus = (total: Spent, before: Spent): Spent => {
  const unpricedTokens = total.unpricedTokens - before.unpricedTokens
  const cost = (total.cost ?? 0) - (before.cost ?? 0)
  return {
    requests: total.requests - before.requests,
    inputTokens: total.inputTokens - before.inputTokens,
    outputTokens: total.outputTokens - before.outputTokens,
    cachedTokens: total.cachedTokens - before.cachedTokens,
    cacheWriteTokens: total.cacheWriteTokens - before.cacheWriteTokens,
    cost: cost === 0 && unpricedTokens > 0 ? null : Math.max(0, cost),
    unpricedTokens,
  }
}
