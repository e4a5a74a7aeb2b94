import { spawn } from 'node:child_process'
import { closeSync, existsSync } from 'node:fs'
import type { Socket } from 'node:net'
import { innerStarterScript, outerStarterScript } from './cage-starter-script'
import { groupPathStart } from './control-group'
import { forkServerScript } from './fork-server-script'
import { environment, exitOf, openTerminal, resizeTerminal, type Size, type Terminal } from './native-pty'
import type { ProcessExit, ProcessSpec } from './process'
import { LOCKS_LIMIT, markOf } from './process-mark'

/**
 * A small process that starts programs for this one. A fork copies the page tables of the whole process, which blocks
 * Electron for several milliseconds, and its child needs as long again to discard them.
 */
export interface ForkServer {
  /** Null while it starts, while it is late to answer, and after its end: then the caller has to fork by itself. */
  open(spec: ProcessSpec, size: Size): Promise<Terminal> | null
  /** It ended, or did not answer and was killed. */
  readonly gone: boolean
  /** Whether it could be started. */
  readonly ready: Promise<boolean>
  /** Lets it end. The programs it has started continue, but not those in a cage: they end with it. */
  close(): void
  /** For a cage: lets it end after the last program in it. */
  retire(): void
}

/** The system's own Perl, which every Debian has; one that the user installed may be a wrapper script. */
const perl = '/usr/bin/perl'
/** The scripts use system calls by number. All of them use setsid, ppoll, rt_sigprocmask and prlimit64. */
const systemCalls = new Map([
  ['x64', [112, 271, 14, 302]],
  ['arm64', [157, 73, 135, 261]],
])
/** Further calls that only some scripts use. */
const moreCalls = new Map([
  ['x64', { sendmsg: 46, recvmsg: 47, prctl: 157, clone3: 435 }],
  ['arm64', { sendmsg: 211, recvmsg: 212, prctl: 167, clone3: 435 }],
])
/** How long starting a program may take on a very busy machine. */
const ANSWER_MS = 10_000
/** How long an answer may take before further programs are not left to the server. */
const LATE_MS = 500

interface Pending {
  since: number
  started(pid: number): void
  failed(error: Error): void
}

/** Null if the system has no Perl, or its call numbers are not known. The options are for tests. */
export function startForkServer({
  script = forkServerScript,
  answerMs = ANSWER_MS,
  groups = groupPathStart(),
  open = openTerminal,
} = {}): ForkServer | null {
  const calls = systemCalls.get(process.arch)
  const more = moreCalls.get(process.arch)
  if (process.platform !== 'linux' || !calls || !more || !existsSync(perl)) return null
  const numbers = [...calls, more.prctl, more.clone3, LOCKS_LIMIT].map(String)
  return serve(['-e', script, groups, ...numbers], answerMs, LATE_MS, open)
}

/**
 * The same in a cage: `argv` starts the cage, and the program that starts commands in it is appended. Null if the
 * system has no Perl, or its call numbers are not known.
 */
export function startCageServer(argv: readonly string[], { answerMs = ANSWER_MS } = {}): ForkServer | null {
  const inner = cageServerProgram()
  const calls = moreCalls.get(process.arch)
  if (!inner || !calls) return null
  return serve(['-e', outerStarterScript, `${calls.sendmsg}`, `${calls.recvmsg}`, ...argv, ...inner], answerMs)
}

/** The argv of the program that runs inside a cage. */
function cageServerProgram(): readonly string[] | null {
  const calls = systemCalls.get(process.arch)
  const more = moreCalls.get(process.arch)
  if (process.platform !== 'linux' || !calls || !more || !existsSync(perl)) return null
  return [perl, '-e', innerStarterScript, ...[...calls, LOCKS_LIMIT, more.recvmsg, more.prctl].map(String)]
}

/**
 * Starts Perl with these arguments, and communicates with it. While an answer is later than `lateMs`, it opens nothing
 * more: what it is then given would fail with it.
 */
function serve(
  args: readonly string[],
  answerMs: number,
  lateMs = Number.POSITIVE_INFINITY,
  open = openTerminal,
): ForkServer {
  // In its own session: Ctrl-C in the terminal of the command line must not reach it.
  const server = spawn(perl, args, { cwd: '/', env: {}, detached: true, stdio: ['pipe', 'pipe', 'ignore'] })
  // Pipes to a child are sockets, though their type does not say so.
  const [stdin, stdout] = [server.stdin as Socket, server.stdout as Socket]
  const pending = new Map<string, Pending>()
  const running = new Map<string, (exit: ProcessExit | null) => void>()
  let state: 'starting' | 'ready' | 'gone' = 'starting'
  let requests = 0
  // Not with `Promise.withResolvers`: the node program supports Node 20, which does not have it.
  let settleReady: (works: boolean) => void = () => {}
  const ready = new Promise<boolean>((resolve) => {
    settleReady = resolve
  })

  const spare = createSpareTerminal(open)
  /** It keeps this process alive only while something it has started is running. */
  const holdOn = () => {
    if (pending.size + running.size > 0) stdout.ref()
    else stdout.unref()
  }
  const lose = () => {
    state = 'gone'
    settleReady(false)
    spare.drop()
    const lost = new Error('The process that starts programs ended or did not answer. Try again')
    for (const { failed } of pending.values()) failed(lost)
    for (const ended of running.values()) ended(null)
    pending.clear()
    running.clear()
  }
  /**
   * Its output closes when none of its copies is still on the way to its terminal. Until then our side of a terminal that
   * was given up keeps its name from being given to another, on which such a copy would run its command.
   */
  const noMoreCopies = new Promise<void>((resolve) => stdout.once('close', () => resolve()))
  /** A program that is started after this loses its terminal at once, so nothing runs that was reported as failed. */
  const giveUp = () => {
    server.kill('SIGKILL')
    lose()
  }
  const receive = (line: string) => {
    const [word, first = '', second = ''] = line.split(' ')
    if (word === 'ready' && state === 'starting') {
      state = 'ready'
      settleReady(true)
    }
    if (word === 'started') {
      pending.get(first)?.started(Number(second))
      pending.delete(first)
    }
    if (word === 'ended') {
      running.get(first)?.(exitOf(Number(second) >> 8, Number(second) & 127))
      running.delete(first)
    }
    holdOn()
  }

  onLines(stdout, receive)
  stdout.on('close', lose)
  // It could not be started, or has ended: either way nothing more comes from it.
  server.on('error', lose)
  stdin.on('error', lose)
  server.unref()
  stdin.unref()
  holdOn()

  return {
    get gone() {
      return state === 'gone'
    },
    open(spec, size) {
      const id = `${requests + 1}`
      const marks = [`${markOf(spec.id)}`, spec.next === undefined ? '' : `${markOf(spec.next)}`]
      const words = [id, ...marks, spec.cwd, `${spec.argv.length}`, ...spec.argv, ...environment(spec)]
      const [oldest] = pending.values()
      const late = oldest !== undefined && performance.now() - oldest.since > lateMs
      if (state !== 'ready' || late || words.some((word) => word.includes('\0'))) return null
      const terminal = spare.take(size)
      if (!terminal) return null
      requests++
      return new Promise((resolve, reject) => {
        const limit = setTimeout(giveUp, answerMs).unref()
        const failed = (error: Error, copiesGone = noMoreCopies) => {
          clearTimeout(limit)
          closeSync(terminal.fd)
          void copiesGone.then(terminal.release)
          reject(error)
        }
        const started = (pid: number) => {
          clearTimeout(limit)
          if (pid === 0) return failed(new Error('The system cannot start any more programs'), Promise.resolve())
          const exited = new Promise<ProcessExit | null>((ended) => running.set(`${pid}`, ended))
          resolve({ ...terminal, pid, exited })
          // While the program starts, nobody waits for this.
          setImmediate(() => state === 'ready' && spare.prepare(size))
        }
        pending.set(id, { since: performance.now(), started, failed })
        holdOn()
        stdin.write(frameOf([terminal.path, ...words]))
      })
    },
    ready,
    close() {
      state = 'gone'
      settleReady(false)
      spare.drop()
      stdin.end()
    },
    retire() {
      state = 'gone'
      settleReady(false)
      spare.drop()
      stdin.write(Buffer.alloc(4))
    },
  }
}

/** Keeps one terminal open for the next program: opening one takes as long as starting a program in it. */
function createSpareTerminal(open: typeof openTerminal) {
  let spare: ReturnType<typeof openTerminal> = null
  return {
    take(size: Size): typeof spare {
      const terminal = spare ?? open(size)
      if (spare) resizeTerminal(spare.fd, size)
      spare = null
      return terminal
    },
    prepare(size: Size): void {
      try {
        spare ??= open(size)
      } catch {
        spare = null // There are no more terminals. The next program opens its own, or its caller learns why it cannot.
      }
    },
    drop(): void {
      spare?.release()
      if (spare) closeSync(spare.fd)
      spare = null
    },
  }
}

/** Words for the server, preceded by their length. */
const frameOf = (words: readonly string[]): Buffer => {
  const frame = Buffer.from(`\0\0\0\0${words.join('\0')}`, 'utf8')
  frame.writeUInt32BE(frame.length - 4)
  return frame
}

const onLines = (stream: Socket, receive: (line: string) => void): void => {
  let half = ''
  stream.setEncoding('latin1').on('data', (text: string) => {
    const lines = (half + text).split('\n')
    half = lines.pop() ?? ''
    for (const line of lines) receive(line)
  })
}
