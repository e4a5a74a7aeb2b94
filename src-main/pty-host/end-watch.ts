import { statOf } from '../process-alive'
import { exitOf } from './native-pty'
import type { ProcessExit } from './process'

/** The interval between looks. A program counts as ended after two looks in a row find it so. */
const LOOK_MS = 1000
/** Programs per look; more of them take turns. */
const MAX_LOOKS = 50

interface Watched {
  pid: number
  /** Its start time as the system reports it, since another program may get its pid. Empty until the first look. */
  began: string
  /** What the last look found, if the program had ended. */
  ended: ProcessExit | null
  conclude(exit: ProcessExit): void
}

/**
 * Checks regularly whether programs still run whose end should be reported by others. Even if the fork server or a
 * signal is lost, no program counts as running long after its end.
 */
export function createEndWatch(lookMs = LOOK_MS) {
  const watched = new Set<Watched>()
  let timer: NodeJS.Timeout | null = null
  let concluded = 0

  const stop = (each: Watched) => {
    watched.delete(each)
    if (watched.size > 0 || !timer) return
    clearInterval(timer)
    timer = null
  }
  const look = (each: Watched) => {
    const found = lookAt(each.pid)
    each.began ||= found.began
    const exit = found.exit ?? (found.began === each.began ? null : unknownExit)
    if (!exit || !each.ended) {
      each.ended = exit
      return
    }
    stop(each)
    concluded++
    // The first look may have found the exit status, and the second one no process.
    each.conclude(exit === unknownExit ? each.ended : exit)
  }
  const lookAround = () => {
    for (const each of [...watched].slice(0, MAX_LOOKS)) {
      watched.delete(each)
      watched.add(each)
      look(each)
    }
  }

  return {
    /** How many ends were noticed here that were not reported. */
    get concluded() {
      return concluded
    },
    /** Returns a function that stops watching, for when the end was reported. */
    watch(pid: number, conclude: (exit: ProcessExit) => void): () => void {
      const each: Watched = { pid, began: '', ended: null, conclude }
      watched.add(each)
      timer ??= setInterval(lookAround, lookMs).unref()
      return () => stop(each)
    },
  }
}

/** One timer for all programs of this process. */
export const endWatch = createEndWatch()

/** How it ended can no longer be known. */
const unknownExit: ProcessExit = { exitCode: null, signal: null }

function lookAt(pid: number): { began: string; exit: ProcessExit | null } {
  if (process.platform !== 'linux') return { began: '', exit: isThere(pid) ? null : unknownExit }
  const fields = statOf(pid)
  if (!fields) return { began: '', exit: unknownExit }
  const [state] = fields
  const status = Number(fields[49])
  return { began: fields[19] ?? '', exit: state === 'Z' || state === 'X' ? exitOf(status >> 8, status & 127) : null }
}

function isThere(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}
