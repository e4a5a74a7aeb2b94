import { text as readAll } from 'node:stream/consumers'
import type { StopReason } from '../../src-preload/contract/events'
import { hostedModel } from '../../src-preload/contract/hosted'
import { noUsage, type Session } from '../../src-preload/contract/sessions'
import { UsageError } from '../arguments'
import type { Engine } from '../engine'
import { nearest } from '../nearest'
import { guideId } from '../settings/model-choice'
import type { Providers } from '../settings/providers'
import { temporaryId } from '../settings/secrets'
import { StorageError } from '../storage/storage-error'
import { unsavedWords } from '../storage/unsaved-words'
import { untilAborted } from '../tools/until-aborted'
import { answerAlone, answerOnTerminal } from './answer-questions'
import { latestSession, namedSession } from './earlier'
import { modeOf, openHeadlessEngine, requireSandbox, workspaceOf } from './headless-engine'
import { startServers } from './mcp-servers'
import { printJson, printPlain } from './print-events'
import type { Stopping } from './stopping'

const exitCodes: Record<StopReason, number> = { done: 0, failed: 1, limit: 3, cap: 3, stopped: 130, interrupted: 130 }

/** A first request that lacks their tools may be the only one, so servers get a moment to start. */
const serversMs = 5_000

/** One turn from the first word to the last. Answers with the exit code. */
export async function run(options: Map<string, string>, operands: string[], stopping: Stopping): Promise<number> {
  const prompt = operands.join(' ') === '-' ? await readAll(process.stdin) : operands.join(' ')
  if (!prompt.trim()) throw new UsageError('run needs a prompt: deckhand run "What is in this folder?"')
  let workspace = workspaceOf(options)
  const interactive = Boolean(process.stdin.isTTY && process.stderr.isTTY)
  const json = options.has('json')
  let engine: Engine | undefined
  let session: Session | undefined
  try {
    engine = await openHeadlessEngine(options, stopping, interactive)
    if (options.has('sandbox')) await requireSandbox(engine)
    if (options.has('plan')) refuseWithPlan(options)
    session = options.has('worktree')
      ? await openInWorktree(engine, options, workspace)
      : openSession(engine, options, workspace)
    workspace = session.workspace
    await untilAborted(startServers(engine, workspace, serversMs), stopping.signal)
    await tellInstructions(engine, workspace)
    await tellHooks(engine, workspace)
    const reason = await takeTurn(engine, session.id, prompt, json, interactive, stopping)
    return stopping.exitCode ?? exitCodes[reason]
  } catch (error) {
    if (!(error instanceof StorageError)) throw error
    // Nothing could be saved, so there was no turn; whoever waits for its end hears of it all the same.
    const print = json ? printJson() : printPlain(session?.id ?? '')
    print({
      type: 'turn-end',
      sessionId: session?.id ?? '',
      reason: 'failed',
      text: '',
      usage: noUsage,
      error: error.turnError,
    })
    return exitCodes.failed
  } finally {
    await engine?.close()
    if (engine) tellUnsaved(engine)
    // The last lines go out with the next pass through the event loop, and the process ends with this function.
    await new Promise((resolve) => setImmediate(resolve))
  }
}

function tellUnsaved({ store }: Engine): void {
  const words = unsavedWords(store.unsaved.keys())
  if (words !== '') process.stderr.write(`Not saved: ${words}.\n`)
}

/** A folder may have come from anywhere, and with it what its files tell the agent. */
async function tellInstructions({ instructions }: Engine, workspace: string): Promise<void> {
  const names = await instructions.takeNews(workspace)
  if (names.length === 0) return
  process.stderr.write(
    `deckhand: This folder includes instructions for the agent: ${names.join(', ')}. Until you confirm them in the window, they count only as information.\n`,
  )
}

/** Hooks of a folder that were not trusted do not run, and whoever expects them should know. */
async function tellHooks({ hooks }: Engine, workspace: string): Promise<void> {
  const { state, changed, hooks: found } = await hooks.projects.look(workspace)
  if (state !== 'asks') return
  const why = changed ? 'changed since you trusted it' : 'not trusted yet'
  process.stderr.write(
    `deckhand: This folder’s ${found.length === 1 ? 'hook is' : `${found.length} hooks are`} off: ${why}. Trust hooks in the window.\n`,
  )
}

async function takeTurn(
  engine: Engine,
  sessionId: string,
  prompt: string,
  json: boolean,
  interactive: boolean,
  stopping: Stopping,
): Promise<StopReason> {
  const print = json ? printJson() : printPlain(sessionId)
  const stopTurn = () => engine.runner.stop(sessionId)
  const answer = interactive ? answerOnTerminal(engine, () => stopping.stop('SIGINT')) : answerAlone(engine)
  const { promise: ended, resolve: end } = Promise.withResolvers<StopReason>()
  let sent = ''
  /** Messages that waited in the session before this one are answered first, in turns of their own. */
  const stillWaits = () => engine.store.queue.list(sessionId).some(({ id }) => id === sent)
  const unsubscribe = engine.subscribe((event) => {
    print(event)
    if (event.type === 'turn-end' && event.sessionId === sessionId && !(event.reason === 'done' && stillWaits())) {
      const finish = (): void => {
        // The last event that anybody sees is the one that says how it ended.
        unsubscribe()
        stopping.signal.removeEventListener('abort', stopTurn)
        if (stillWaits()) tellWaits()
        end(event.reason)
      }
      // A hook may want the agent to go on.
      if (engine.hooks.any(sessionId))
        void engine.hooksSettled().then(() => {
          if (engine.store.sessions.get(sessionId).status !== 'running') finish()
        })
      else finish()
    }
    if (event.type !== 'call' || event.call.state.status !== 'awaiting') return
    const { question } = event.call.state
    if (question.kind !== 'plan' || event.call.sessionId !== sessionId) return answer(question)
    // It stays open, for whoever opens the window; here nothing more happens.
    unsubscribe()
    const plan = question.plan ?? ''
    if (json) print({ type: 'turn-end', sessionId, reason: 'done', text: plan, usage: noUsage })
    else printPlan(plan, sessionId)
    end('done')
  })
  stopping.signal.addEventListener('abort', stopTurn)
  const { workspace, agentId } = engine.store.sessions.get(sessionId)
  const slashed = await engine.slash.attachmentsFor({ sessionId, workspace, agentId }, prompt, [])
  const attachments = await engine.hooks.attachmentsFor(sessionId, prompt, slashed)
  sent = engine.runner.send(sessionId, prompt, attachments)
  return ended
}

/** A message before it came to no good end, so the queue is paused. */
function tellWaits(): void {
  process.stderr.write('deckhand: Your message was not sent: it waits behind the one that was answered here.\n')
}

function refuseWithPlan(options: Map<string, string>): void {
  if (options.has('approve'))
    throw new UsageError('--plan only reads; choose what may run when you approve the plan, and leave out --approve')
  if (options.has('agent')) throw new UsageError('--plan does not work with --agent, which plans in a way of its own')
}

/** The plan is the answer; what to do with it is said beside it. */
function printPlan(plan: string, sessionId: string): void {
  process.stdout.write(`${plan.trimEnd()}\n`)
  process.stderr.write(`deckhand: The plan waits for your approval in the window (session ${sessionId}).\n`)
}

function openSession(engine: Engine, options: Map<string, string>, workspace: string): Session {
  const mode = options.has('plan') ? 'plan' : modeOf(options)
  const sandbox = options.has('sandbox')
  const model = chooseAgent(engine, options) ?? chooseModel(engine, options)
  const earlier = findEarlier(engine, options, workspace)
  if (earlier && earlier.waiting > 0)
    throw new Error('The session is waiting for your answer. Answer it in the window first.')
  if (earlier && !model && earlier.model.startsWith(`${temporaryId}/`)) {
    // Where it was is not kept, so that no key of another day goes there.
    const name = earlier.model.slice(temporaryId.length + 1)
    throw new UsageError(`this session used ${name} from the command line; pass --base-url and --model again`)
  }
  if (earlier) {
    const goesOn = {
      mode,
      ...(sandbox && { sandbox }),
      ...(model && { model }),
      ...(options.has('workspace') && { workspace }),
    }
    return engine.runner.updateSession(earlier.id, goesOn)
  }
  const toolset = options.get('toolset')
  return engine.createSession({ workspace, mode, sandbox, ...(model && { model }), ...(toolset && { toolset }) })
}

/** A new session on a branch and in a folder of its own. */
async function openInWorktree(engine: Engine, options: Map<string, string>, folder: string): Promise<Session> {
  for (const other of ['session', 'continue', 'node', 'ssh', 'container', 'tmux'])
    if (options.has(other)) throw new UsageError(`--worktree makes a new session here; it does not go with --${other}`)
  // Without a name the option is just set.
  const given = options.get('worktree') ?? ''
  const { worktrees } = await engine.reviewing()
  const { path, branch, base, sessionId, port } = await worktrees.create({
    folder,
    name: given === 'true' ? '' : given,
    open: (place) => openSession(engine, options, place).id,
  })
  process.stderr.write(`deckhand: Working on ${branch} (from ${base}) in ${path}, with PORT=${port}.\n`)
  return engine.store.sessions.get(sessionId)
}

function findEarlier(engine: Engine, options: Map<string, string>, workspace: string): Session | undefined {
  const id = options.get('session')
  if (id) return namedSession(engine, id)
  if (!options.has('continue')) return undefined
  const latest = latestSession(engine, workspace)
  if (!latest) throw new UsageError('--continue: there is no earlier session in this workspace')
  return latest
}

/** A hosted agent in the place of a model. */
function chooseAgent({ hosts }: Engine, options: Map<string, string>): string | undefined {
  const agent = options.get('agent')
  const signIn = options.get('sign-in')
  if (agent === undefined) {
    if (signIn !== undefined) throw new UsageError('--sign-in needs --agent NAME')
    return undefined
  }
  for (const other of ['model', 'base-url', 'provider', 'toolset'])
    if (options.has(other)) throw new UsageError(`--agent brings its own model and tools; leave out --${other}`)
  const trouble = hosts.trouble(agent, true)
  if (trouble) throw new UsageError(`--agent: ${trouble}`)
  if (signIn !== undefined) hosts.signInBy(agent, signIn)
  return hostedModel(agent)
}

function chooseModel({ providers }: Engine, options: Map<string, string>): string | undefined {
  const baseUrl = options.get('base-url')
  const name = options.get('model')
  const kind = options.get('provider')
  if (!baseUrl && !kind) return name && knownModel(providers, name)
  if (!name) throw new UsageError('--provider and --base-url need --model NAME')
  if (baseUrl && !/^https?:$/.test(URL.parse(baseUrl)?.protocol ?? ''))
    throw new UsageError(`--base-url: ${baseUrl} is not a URL that starts with http:// or https://`)
  const anthropic = kind === 'anthropic'
  const address = baseUrl ?? (anthropic ? 'https://api.anthropic.com' : 'https://api.openai.com/v1')
  return `${providers.addTemporary(anthropic ? 'anthropic' : 'openai', address)}/${name}`
}

/** A model of the settings, by its whole name or by the one that its provider knows it by. */
function knownModel(providers: Providers, wanted: string): string {
  const offered = providers.list().flatMap(({ models }) => models)
  const found = offered.find(({ id, name }) => id === wanted || name === wanted)
  if (found) return found.id
  // A provider may have more models than it lists.
  const mayHaveIt = providers.list().some(({ id }) => wanted.startsWith(`${id}/`))
  if (wanted === guideId || mayHaveIt) return wanted
  const [near] = nearest(wanted, [guideId, ...offered.map(({ id }) => id)], 1)
  const hint = near ? `; did you mean ${near}?` : '. Add its provider in the window, or pass --base-url'
  throw new UsageError(`--model: no model named ${wanted}${hint}`)
}
