import { isAbsolute, resolve } from 'node:path'
import type { HookEvent, HookInfo, HooksEvent, ProjectHooks } from '../../src-preload/contract/hooks'
import type { Attachment } from '../../src-preload/contract/messages'
import type { ApprovalMode } from '../../src-preload/contract/sessions'
import { commandType } from '../../src-preload/contract/slash'
import type { Database } from '../database'
import type { Logger } from '../log'
import { addAnswer, type HookAnswer, noAnswer } from './answers'
import { createProjectHooks } from './project-hooks'
import { matches, readHooks } from './read-hooks'
import { runHook } from './run-hook'

interface HooksOptions {
  database: Database
  /** The section `hooks` of the settings file. */
  own(): unknown
  sessionOf(sessionId: string): { workspace: string; mode: ApprovalMode; messages(): number } | null
  publish(event: HooksEvent): void
  /** Tells the user of a hook that failed. */
  note(sessionId: string, text: string): void
  log: Logger
}

/** A call waits for the user, as Claude Code names it, or the agent tells the user something. */
type NotificationType = 'permission_prompt' | 'message'

export type Hooks = ReturnType<typeof createHooks>

const lookMs = 1000

/** Names of our modes as hooks know them. */
const modes: Record<ApprovalMode, string> = {
  ask: 'default',
  safe: 'default',
  workspace: 'acceptEdits',
  all: 'bypassPermissions',
  'read-only': 'plan',
  plan: 'plan',
}

/**
 * Runs hooks: those of the user's settings, and those of a folder that the user has trusted. All that fit an event run at
 * once; each has a time limit, and one that fails is told of and changes nothing.
 */

/** The hooks for an event: the user's own, then those of a trusted project. */
const hooksFor = (event: HookEvent, name: string, own: readonly HookInfo[], trusted: readonly HookInfo[]) =>
  [...own.map((hook) => ({ hook, mine: true })), ...trusted.map((hook) => ({ hook, mine: false }))].filter(
    ({ hook }) => hook.event === event && matches(hook, name),
  )

export function createHooks(options: HooksOptions) {
  const projects = createProjectHooks(options.database, (event) => {
    // What the user has decided holds at once.
    recent.forget(event.project.folder)
    options.publish(event)
  })
  const own = ownHooks(options)
  const recent = recentLooks(projects)
  const started = new Set<string>()

  /** `null` where no hook is for it, which is found out without any waiting in the usual case. */
  const run = async (
    event: HookEvent,
    sessionId: string,
    facts: Record<string, unknown>,
    { name = '', signal = new AbortController().signal }: { name?: string; signal?: AbortSignal } = {},
  ): Promise<HookAnswer | null> => {
    const session = options.sessionOf(sessionId)
    if (!session) return null
    const project = await recent.look(session.workspace)
    const trusted = project.state === 'trusted' ? project.hooks : []
    const wanted = hooksFor(event, name, own(), trusted)
    if (wanted.length === 0) return null
    const input = {
      session_id: sessionId,
      transcript_path: '',
      cwd: session.workspace,
      permission_mode: modes[session.mode],
      hook_event_name: event,
      ...facts,
    }
    const runs = await Promise.all(
      wanted.map(async ({ hook, mine }) => ({
        hook,
        mine,
        ran: await runHook(hook, input, { cwd: session.workspace, signal }),
      })),
    )
    signal.throwIfAborted()
    const answer = noAnswer()
    for (const { hook, mine, ran } of runs) addAnswer(answer, event, ran, hook.command, mine)
    for (const text of answer.notes) options.note(sessionId, text)
    return answer
  }

  /** Whether any hook may be for the sessions in this folder; cheap enough to ask before every call. */
  const anyIn = (workspace: string): boolean => own().length > 0 || projects.isTrusted(workspace)

  return {
    projects,
    /** Before a call runs. `given`: its arguments. */
    beforeCall: (sessionId: string, name: string, given: unknown, signal: AbortSignal) =>
      run(
        'PreToolUse',
        sessionId,
        { tool_name: name, tool_input: inputOf(given, options.sessionOf(sessionId)) },
        { name, signal },
      ),
    afterCall: (sessionId: string, name: string, given: unknown, result: object, signal: AbortSignal) =>
      run(
        'PostToolUse',
        sessionId,
        { tool_name: name, tool_input: inputOf(given, options.sessionOf(sessionId)), tool_response: result },
        { name, signal },
      ),
    /** Whether any hook may be for this session. */
    any(sessionId: string): boolean {
      const session = options.sessionOf(sessionId)
      return session === null ? own().length > 0 : anyIn(session.workspace)
    },
    anyIn,
    /**
     * The attachments of a message of the user's: those given, and behind them what hooks add.
     * Throws with the words of a hook that refuses the message.
     */
    async attachmentsFor(sessionId: string, text: string, given: Attachment[]): Promise<Attachment[]> {
      const source = (options.sessionOf(sessionId)?.messages() ?? 0) === 0 ? 'startup' : 'resume'
      const isFirst = !started.has(sessionId)
      started.add(sessionId)
      const start = isFirst ? await run('SessionStart', sessionId, { source }, { name: source }) : null
      const said = await run('UserPromptSubmit', sessionId, { prompt: text })
      if (said?.block) throw new Error(`A hook refused this message: ${said.block}`)
      const context = [...(start?.context ?? []), ...(said?.context ?? [])]
      return context.length === 0
        ? given
        : [...given, { name: 'hook', mimeType: commandType, data: context.join('\n\n') }]
    },
    /** When a turn has ended: why the agent should go on, or `null`. */
    async atStop(sessionId: string, active: boolean): Promise<string | null> {
      return (await run('Stop', sessionId, { stop_hook_active: active }))?.block ?? null
    },
    /** `type`: what matchers of such hooks name. */
    async notify(sessionId: string, message: string, type: NotificationType): Promise<void> {
      await run('Notification', sessionId, { message, title: 'Deckhand', notification_type: type }, { name: type })
    },
  }
}

/** The hooks of the user's settings, read again when these change. */
const ownHooks = ({ own, log }: Pick<HooksOptions, 'own' | 'log'>): (() => HookInfo[]) => {
  let read: { section: unknown; hooks: HookInfo[] } | null = null
  return () => {
    const section = own()
    if (read?.section !== section || !read) {
      const { hooks, warnings } = readHooks(section)
      for (const warning of warnings) log.warn('A hook in the settings is left out', { warning })
      read = { section, hooks }
    }
    return read.hooks
  }
}

type Look = (folder: string) => Promise<ProjectHooks>

/** The hooks of a folder. A look may be a moment old: the words that run are those that were trusted. */
const recentLooks = ({ look }: { look: Look }): { look: Look; forget(folder: string): void } => {
  const looked = new Map<string, { at: number; found: ReturnType<Look> }>()
  return {
    forget: (folder) => void looked.delete(folder),
    look: (folder) => {
      const known = looked.get(folder)
      if (known && Date.now() - known.at < lookMs) return known.found
      const found = look(folder)
      looked.set(folder, { at: Date.now(), found })
      return found
    },
  }
}

/** Arguments as hooks for other programs know them: the path of a file is `file_path`, absolute. */
function inputOf(given: unknown, session: { workspace: string } | null): unknown {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return given
  const path = 'path' in given ? given.path : undefined
  if (typeof path !== 'string' || session === null || 'file_path' in given) return given
  return { ...given, file_path: isAbsolute(path) ? path : resolve(session.workspace, path) }
}
