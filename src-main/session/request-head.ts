import type { Session } from '../../src-preload/contract/sessions'
import { definitionsOf, type ToolDefinition, type Toolset } from '../tools/tool'
import { addNotice } from './notices'
import { withPlanWords } from './plan-first'
import type { RunnerCore } from './runner-core'
import { changesIn, type Surroundings } from './surroundings'

/** What the requests of a session begin with, as the provider has read it before. */
export interface RequestHead {
  toolset: string
  model: string
  /** In the order in which the session first had them. */
  tools: Map<string, ToolDefinition>
  /** Those of them that cannot be called now. */
  gone: Set<string>
  /** Names that descriptions of tools list, as the model knows them now. */
  listed: Map<string, ReadonlyMap<string, string>>
  /** As the prompt states them. */
  stated: Surroundings | null
  /** As the model knows them now, from the prompt and from what was told since. */
  known: Surroundings | null
  usedAt: number
  /** Everything is allowed, but text from outside is in the session: then some things ask again. */
  heldBack: boolean
}

/** Providers forget what they have read after an hour at most. Then nothing is lost by beginning anew. */
const forgottenMs = 60 * 60 * 1000
const mostHeads = 200

/**
 * Keeps the beginning of a session's requests the same, byte by byte, because providers charge much less for what they
 * have read before. Nodes and MCP servers come and go: new tools are added at the end, those of a node or server that has
 * gone stay described, and what has changed is told in the conversation, where requests grow anyway.
 */
export const createRequestHead = (core: RunnerCore, session: Session, toolset: Toolset) => {
  const { systemPrompt, surroundings } = core.options
  const head = headOf(core, session, toolset)
  let system = ''

  const next = async (): Promise<{ system: string; tools: ToolDefinition[]; changed: boolean }> => {
    head.usedAt = core.clock()
    tellHeldBack(core, session.id, head)
    const { news, grew } = addTools(head, definitionsOf(toolset, session.id), toolset)
    const isFirst = system === ''
    if (isFirst || grew || news.length > 0 || core.options.nodesChanged?.(head.known)) {
      const now = (await surroundings?.(session)) ?? null
      if (head.known && now) news.unshift(...changesIn(head.known, now))
      head.known = now
      // The prompt comes after the tools: where these are new, nothing after them is remembered.
      if (grew || !head.stated) head.stated = now
      if (news.length > 0) addNotice(core, session.id, { kind: 'event', text: news.join(' ') })
      const tools = [...head.tools.values()]
      const current = core.options.store.sessions.get(session.id)
      system = withPlanWords(await systemPrompt(current, tools, head.stated ?? undefined), current, toolset)
      return { system, tools, changed: true }
    }
    return { system, tools: [...head.tools.values()], changed: false }
  }

  return {
    next,
    /** Begins anew: after a summary nothing that follows is remembered, and what was told may be hidden. */
    restart: (): void => {
      system = ''
      head.tools.clear()
      head.gone.clear()
      head.listed.clear()
      head.stated = null
      head.known = null
    },
  }
}

const heldBackText =
  'Text from outside has entered this session. Everything is still allowed, except that commands which use the network or run code that could use it ask first from now on, so that nobody else’s words send your data away.'

/** *Allow everything* becomes less than everything: that is said where it happens. */
function tellHeldBack(core: RunnerCore, sessionId: string, head: RequestHead): void {
  const now = isHeldBack(core, sessionId)
  if (now && !head.heldBack) addNotice(core, sessionId, { kind: 'event', text: heldBackText })
  head.heldBack = now
}

/** Asked before every request, so what is rarely so is looked at first. */
const isHeldBack = ({ options: { gate, store } }: RunnerCore, sessionId: string): boolean =>
  store.taint.has(sessionId) && gate.modeOf(sessionId) === 'all'

const headOf = (core: RunnerCore, { id, model }: Session, toolset: Toolset): RequestHead => {
  const { heads, clock } = core
  const kept = heads.get(id)
  heads.delete(id)
  const isKept = kept?.toolset === toolset.name && kept.model === model && clock() - kept.usedAt < forgottenMs
  const head: RequestHead = isKept
    ? kept
    : {
        toolset: toolset.name,
        model,
        tools: new Map(),
        gone: new Set(),
        listed: new Map(),
        stated: null,
        known: null,
        usedAt: clock(),
        heldBack: isHeldBack(core, id),
      }
  heads.set(id, head)
  const oldest = heads.size > mostHeads ? heads.keys().next().value : undefined
  if (oldest !== undefined) heads.delete(oldest)
  return head
}

/** Takes over what is offered now. `grew` where the descriptions have changed; `news` for what the model should know. */
const addTools = (
  head: RequestHead,
  offered: ToolDefinition[],
  toolset: Toolset,
): { news: string[]; grew: boolean } => {
  const isNew = head.tools.size === 0
  const news: string[] = []
  let grew = isNew
  const back: string[] = []
  // Put together anew each time that they are asked for.
  const { tools } = toolset
  for (const definition of offered) {
    const { name } = definition
    const before = head.tools.get(name)
    if (head.gone.delete(name)) back.push(name)
    const listing = tools.get(name)?.listing?.()
    if (listing) {
      news.push(...listingNews(name, head.listed.get(name), listing))
      head.listed.set(name, listing)
      if (before) continue
    }
    if (before && isSame(before, definition)) continue
    head.tools.set(name, definition)
    grew = true
  }
  const names = new Set(offered.map(({ name }) => name))
  const lost = [...head.tools.keys()].filter((name) => !names.has(name) && !head.gone.has(name))
  for (const name of lost) head.gone.add(name)
  if (lost.length > 0) news.push(`These tools cannot be called now: ${lost.join(', ')}.`)
  if (back.length > 0) news.push(`These tools can be called again: ${back.join(', ')}.`)
  return { news, grew }
}

const listingNews = (
  tool: string,
  before: ReadonlyMap<string, string> | undefined,
  now: ReadonlyMap<string, string>,
): string[] => {
  if (!before) return []
  const added = [...now].filter(([name]) => !before.has(name)).map(([name, line]) => `${name} (${line})`)
  const lost = [...before.keys()].filter((name) => !now.has(name))
  return [
    ...(added.length > 0 ? [`${tool} also has: ${added.join(', ')}.`] : []),
    ...(lost.length > 0 ? [`${tool} no longer has: ${lost.join(', ')}.`] : []),
  ]
}

const isSame = (one: ToolDefinition, other: ToolDefinition): boolean =>
  one.description === other.description &&
  (one.parameters === other.parameters || JSON.stringify(one.parameters) === JSON.stringify(other.parameters))
