import { NodeError } from '../node-error'
import { type Channel, endMarks, openChannel } from '../shell/channel'
import { type Outcome, quote, type RemoteShell, runScript, wordsOf } from '../shell/remote-shell'
import { ensureSessionScript, paneWindow, tidySession } from './tmux-session'
import { tmux } from './tmux-terminal'

/** Our own codes, beyond the exit codes of any command: something runs in the pane, or there is no such pane. */
export const busyCode = 300
export const goneCode = 301

/** For a tmux command that returns at once, over a slow connection. */
export const quickMs = 30_000
const idleLookMs = 100
const idleWaitMs = 600
const ensureMs = 60_000
/** Start-up files of shells can be slow. */
const freshWaitMs = 20_000

/** `own` names a session of ours, created if missing; `at` is an existing pane. */
export type PaneWhere = { own: string; owner?: string | undefined } | { at: string }

/** Access to a pane, which is created if it is missing and created again if it has vanished. */
interface PaneAccess {
  /** The pane, as tmux names it. */
  shared: string
  ensure(): Promise<void>
  /** Runs a short script; if it fails, the code tells whether `target` is gone. */
  quickly(target: string, script: string): Promise<Outcome>
  /** Runs `use` on the pane, and once more with a new pane if it has vanished. */
  withPane(use: () => Promise<Outcome>): Promise<Outcome>
  /** Types into the pane. Waits for a shell that has just started, or whose last command has just ended. */
  typing(use: () => Promise<Outcome>): Promise<Outcome>
  close(): Promise<void>
}

export function createPaneAccess(shell: RemoteShell, where: PaneWhere): PaneAccess {
  /** For immediate answers; commands whose end is waited for have a channel of their own. */
  let quick: Promise<Channel> | null = null
  let made: Promise<void> | null = null
  /** A shell has read what was typed, so it has finished starting. */
  let settled = false
  // Never by the pane's number: a restarted server counts from the beginning, so the number may be in another session.
  const shared = 'at' in where ? where.at : quote(`=${where.own}:=${paneWindow}`)

  const ensure = async (): Promise<void> => {
    if ('at' in where) return
    made ??= ensureWindow(shell, where.own, where.owner)
    await made.catch((error: unknown) => {
      made = null
      throw error
    })
  }

  const withPane: PaneAccess['withPane'] = async (use) => {
    await ensure()
    const first = await use()
    if (first.exitCode !== goneCode || 'at' in where) return first
    made = null
    settled = false
    await ensure()
    return use()
  }

  return {
    shared,
    ensure,
    withPane,
    quickly: async (target, script) => {
      quick = openedChannel(shell, quick, ':')
      const judge = `r=$?; [ $r = 0 ] || ${tmux} list-panes -t ${target} >/dev/null 2>&1 || r=${goneCode}`
      return (await quick).request((token) => `{ ${script}; ${judge}; } </dev/null; ${endMarks(token, '$r')}`, {
        timeoutMs: quickMs,
      })
    },
    typing: async (use) => {
      const deadline = performance.now() + (settled ? idleWaitMs : freshWaitMs)
      let done = await withPane(use)
      while (done.exitCode === busyCode && performance.now() < deadline) {
        await new Promise((resolve) => setTimeout(resolve, idleLookMs))
        done = await withPane(use)
      }
      if (done.exitCode === busyCode)
        throw new NodeError(
          'busy',
          'A program runs in the pane and would read the command as its input: wait, or send it C-c',
        )
      settled = true
      return done
    },
    close: async () => {
      await closeChannel(quick)
      if ('own' in where && made) await tidySession(shell, where.own, where.owner)
    },
  }
}

/** The channel that is open, or a new one. */
export async function openedChannel(
  shell: RemoteShell,
  known: Promise<Channel> | null,
  prelude: string,
): Promise<Channel> {
  const channel = known && (await known.catch(() => null))
  if (channel?.open && (channel.occupied || (await shell.check()))) return channel
  channel?.close()
  return openChannel(shell, prelude)
}

export async function closeChannel(channel: Promise<Channel> | null): Promise<void> {
  await channel?.then(
    (each) => each.close(),
    () => {}, // It never opened.
  )
}

export function expectDone(done: Outcome): Outcome {
  if (done.exitCode === 0) return done
  throw new NodeError('failed', `tmux: ${wordsOf(done) || `exit code ${done.exitCode}`}`)
}

async function ensureWindow(shell: RemoteShell, session: string, owner: string | undefined): Promise<void> {
  const look = `${tmux} list-panes -t ${quote(`=${session}:=${paneWindow}`)} >/dev/null 2>&1`
  const done = await runScript(
    shell,
    [
      'command -v tmux >/dev/null 2>&1 || exit 127',
      ensureSessionScript(session, owner, paneWindow),
      `${look} || ${tmux} new-window -d -t ${quote(`=${session}:`)} -n ${paneWindow}`,
    ].join('\n'),
    { timeoutMs: ensureMs },
  )
  if (done.exitCode === 127) throw new NodeError('missing', `There is no tmux on ${shell.label}`)
  expectDone(done)
}
