import { createInterface } from 'node:readline/promises'
import { text as readAll } from 'node:stream/consumers'
import type { Question } from '../../src-preload/contract/approval'
import type { DeckhandEvent, StopReason } from '../../src-preload/contract/events'
import type { Session } from '../../src-preload/contract/sessions'
import type { Engine } from '../engine'
import { UsageError } from './arguments'
import { latestSession, namedSession } from './earlier'
import { modeOf, openHeadlessEngine, requireSandbox, workspaceOf } from './headless-engine'
import { startServers } from './mcp-servers'

const exitCodes: Record<StopReason, number> = { done: 0, failed: 1, limit: 3, stopped: 130, interrupted: 130 }

/** One turn from the first word to the last. Answers with the exit code. */
export async function run(options: Map<string, string>, operands: string[]): Promise<number> {
  const prompt = operands.join(' ') === '-' ? await readAll(process.stdin) : operands.join(' ')
  if (!prompt.trim()) throw new UsageError('run needs a prompt: deckhand run "What is in this folder?"')
  const workspace = workspaceOf(options)
  const interactive = Boolean(process.stdin.isTTY && process.stderr.isTTY)
  const engine = await openHeadlessEngine(options, interactive)
  await startServers(engine, workspace)
  if (options.has('sandbox')) await requireSandbox(engine)
  const session = openSession(engine, options, workspace)
  const print = options.has('json') ? printJson() : printPlain(session.id)

  const { promise: ended, resolve: end } = Promise.withResolvers<Extract<DeckhandEvent, { type: 'turn-end' }>>()
  const unsubscribe = engine.subscribe((event) => {
    print(event)
    if (event.type === 'turn-end' && event.sessionId === session.id) {
      // The last event that anybody sees is the one that says how it ended.
      unsubscribe()
      end(event)
    }
    if (event.type === 'call' && event.call.state.status === 'awaiting')
      void answer(engine, event.call.state.question, interactive)
  })
  const interrupt = () => engine.runner.stop(session.id)
  process.on('SIGINT', interrupt).on('SIGTERM', interrupt)

  engine.runner.send(session.id, prompt, [])
  const { reason } = await ended
  await engine.close()
  // The last lines go out with the next pass through the event loop, and the process ends with this function.
  await new Promise((resolve) => setImmediate(resolve))
  return exitCodes[reason]
}

function openSession(engine: Engine, options: Map<string, string>, workspace: string): Session {
  const mode = modeOf(options)
  const sandbox = options.has('sandbox')
  const model = chooseModel(engine, options)
  const earlier = findEarlier(engine, options, workspace)
  if (earlier && earlier.waiting > 0) throw new Error('The session waits for an answer. Give it in the window first.')
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

function findEarlier(engine: Engine, options: Map<string, string>, workspace: string): Session | undefined {
  const id = options.get('session')
  if (id) return namedSession(engine, id)
  if (!options.has('continue')) return undefined
  const latest = latestSession(engine, workspace)
  if (!latest) throw new UsageError('--continue: there is no earlier session in this workspace')
  return latest
}

function chooseModel(engine: Engine, options: Map<string, string>): string | undefined {
  const baseUrl = options.get('base-url')
  const name = options.get('model')
  const kind = options.get('provider')
  if (!baseUrl && !kind) return name
  if (!name) throw new UsageError('--provider and --base-url need --model NAME')
  if (baseUrl && !URL.canParse(baseUrl)) throw new UsageError(`--base-url: ${baseUrl} is not an address`)
  const anthropic = kind === 'anthropic'
  const address = baseUrl ?? (anthropic ? 'https://api.anthropic.com' : 'https://api.openai.com/v1')
  return `${engine.providers.addTemporary(anthropic ? 'anthropic' : 'openai', address)}/${name}`
}

/**
 * Asks on the terminal. Where there is none, the gate has refused what would ask, and what is left to settle is a turn
 * that repeats itself: it goes on only where everything was allowed from the start.
 */
async function answer(engine: Engine, question: Question, interactive: boolean): Promise<void> {
  if (!interactive) {
    const goesOn = question.kind === 'loop' && engine.store.sessions.get(question.sessionId).mode === 'all'
    engine.runner.answer(question.id, goesOn ? { decision: 'allow', scope: 'once' } : { decision: 'deny' })
    return
  }
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  try {
    if (question.kind === 'ask-user') {
      engine.runner.answer(question.id, { decision: 'reply', text: await terminal.question(`${question.title}\n> `) })
      return
    }
    process.stderr.write(`\n${question.reason}\n`)
    const what = question.typedWord ? `type "${question.typedWord}" to allow` : 'y/N'
    const said = (await terminal.question(`Run: ${question.command ?? question.title} [${what}] `)).trim().toLowerCase()
    const allowed = question.typedWord ? said === question.typedWord.toLowerCase() : said === 'y' || said === 'yes'
    engine.runner.answer(
      question.id,
      allowed ? { decision: 'allow', scope: 'once', typed: said } : { decision: 'deny' },
    )
  } finally {
    terminal.close()
  }
}

/** Writing to a pipe holds up the turn, so the lines of one pass through the event loop go out together. */
function printJson(): (event: DeckhandEvent) => void {
  let waiting = ''
  const flush = () => {
    process.stdout.write(waiting)
    waiting = ''
  }
  return (event) => {
    if (waiting === '') setImmediate(flush)
    waiting += `${JSON.stringify(event)}\n`
    // Nothing comes after it, and the process may be gone before the next pass.
    if (event.type === 'turn-end') flush()
  }
}

/** The answer goes to stdout; what happens on the way to it goes to stderr, a line each. */
function printPlain(sessionId: string): (event: DeckhandEvent) => void {
  const told = new Map<string, string>()
  return (event) => {
    if (event.type === 'delta' && event.kind === 'text' && event.sessionId === sessionId)
      process.stdout.write(event.text)
    if (event.type === 'call') {
      const { id, name, gist, state } = event.call
      if (told.get(id) === state.status) return
      told.set(id, state.status)
      if (state.status === 'running') process.stderr.write(`▸ ${name} ${gist}\n`)
      if (state.status === 'failed') process.stderr.write(`  failed: ${state.error.message}\n`)
      if (state.status === 'denied') process.stderr.write(`  ${state.message}\n`)
    }
    if (event.type === 'turn-end' && event.sessionId === sessionId) {
      process.stdout.write('\n')
      if (event.error)
        process.stderr.write(`${event.error.message}${event.error.hint ? `\n${event.error.hint}` : ''}\n`)
      if (event.reason === 'limit') process.stderr.write('Stopped at the iteration limit; --continue goes on.\n')
    }
  }
}
