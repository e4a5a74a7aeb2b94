import type { DeckhandEvent } from '../../src-preload/contract/events'

/** Writing to a pipe holds up the turn, so the lines of one pass through the event loop go out together. */
export function printJson(): (event: DeckhandEvent) => void {
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
export function printPlain(sessionId: string): (event: DeckhandEvent) => void {
  const told = new Map<string, string>()
  let toldOfLock = false
  let inLine = false
  const endLine = () => {
    if (inLine) process.stdout.write('\n')
    inLine = false
  }
  return (event) => {
    if (event.type === 'delta' && event.kind === 'text' && event.sessionId === sessionId) {
      process.stdout.write(event.text)
      inLine = !event.text.endsWith('\n')
    }
    if (event.type === 'call') {
      const { id, name, gist, state } = event.call
      if (told.get(id) === state.status) return
      told.set(id, state.status)
      // What is said after the call is another paragraph.
      endLine()
      if (state.status === 'running') process.stderr.write(`▸ ${name} ${gist}\n`)
      if (state.status === 'failed') process.stderr.write(`  failed: ${state.error.message}\n`)
      if (state.status === 'denied') process.stderr.write(`  ${state.message}\n`)
    }
    const notice = event.type === 'message' ? event.message.parts[0] : undefined
    if (notice?.type === 'notice' && notice.notice.kind === 'spending') {
      endLine()
      process.stderr.write(`${notice.notice.text}\n`)
    }
    if (event.type === 'waiting' && event.phase === 'storage' && event.sessionId === sessionId && !toldOfLock) {
      toldOfLock = true
      endLine()
      process.stderr.write(`${event.reason}\n`)
    }
    if (event.type === 'turn-end' && event.sessionId === sessionId) {
      endLine()
      if (event.error)
        process.stderr.write(`${event.error.message}${event.error.hint ? `\n${event.error.hint}` : ''}\n`)
      if (event.reason === 'limit') process.stderr.write('Stopped at the step limit. Use --continue to go on.\n')
    }
  }
}
