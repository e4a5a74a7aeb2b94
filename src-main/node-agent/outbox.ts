import { appendFileSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import type { z } from 'zod'
import { execEvent } from '../gateway/wire'

export type ExecReport = z.output<typeof execEvent>

const maxEvents = 2048
const flushMs = 1000

/**
 * Events of background commands that have not been delivered yet. An event is on disk before it is sent, and is removed
 * only when the gateway has confirmed it.
 */
export function openOutbox(path: string, send: (event: ExecReport) => Promise<unknown>) {
  const events = readEvents(path)
  let flushing = false
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })

  const rewrite = (): void => {
    const unfinished = `${path}.unfinished`
    writeFileSync(unfinished, events.map((event) => `${JSON.stringify(event)}\n`).join(''), { mode: 0o600 })
    renameSync(unfinished, path)
  }

  const flush = async (): Promise<void> => {
    if (flushing) return
    flushing = true
    let sent = 0
    try {
      for (let next = events[0]; next; next = events[0]) {
        await send(next)
        // While it was being sent, the oldest event may have been dropped to make room.
        if (events[0] === next) events.shift()
        sent++
      }
    } catch {
      // Not connected, or lost in the middle: the next flush begins with the same event.
    } finally {
      flushing = false
      if (sent > 0) rewrite()
    }
  }
  const timer = setInterval(() => {
    if (events.length > 0) void flush()
  }, flushMs)
  timer.unref()

  return {
    get size() {
      return events.length
    },
    push(event: ExecReport): void {
      events.push(event)
      if (events.length > maxEvents) {
        events.splice(0, events.length - maxEvents)
        rewrite()
      } else appendFileSync(path, `${JSON.stringify(event)}\n`, { mode: 0o600 })
      void flush()
    },
    flush,
    close: () => clearInterval(timer),
  }
}

function readEvents(path: string): ExecReport[] {
  if (!existsSync(path)) return []
  return readFileSync(path, 'utf8')
    .split('\n')
    .flatMap((line) => {
      try {
        const read = execEvent.safeParse(JSON.parse(line))
        return read.success ? [read.data] : []
      } catch {
        // After a crash the last line may be incomplete.
        return []
      }
    })
    .slice(-maxEvents)
}
