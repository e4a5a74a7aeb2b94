import { isProcessAlive } from '../../process-alive'
import { quote, type RemoteShell, runScript } from '../shell/remote-shell'
import { tidyScript } from './tmux-session'
import { tmux } from './tmux-terminal'
import { endScript } from './tmux-window'

const clearMs = 10_000

/**
 * Ends what earlier runs of this installation could not clean up: windows of processes that are no longer known, and
 * sessions in which nothing runs. Anything used by a live process of this machine is left alone.
 */
export async function clearLeftovers(
  shell: RemoteShell,
  owner: string,
  isKnown: (processId: string) => boolean,
): Promise<void> {
  const format = '#{@deckhand}\t#{@deckhand_pid}\t#{session_name}\t#{@deckhand_window_pid}\t#{@deckhand_id}'
  const { stdout } = await runScript(shell, `${tmux} list-windows -a -F ${quote(format)} 2>/dev/null; :`, {
    timeoutMs: clearMs,
  })
  const windows = stdout.toString().split('\n').filter(Boolean).map(readWindow)
  const ours = windows.filter((window) => window.owner === owner)
  const forgotten = ours.filter(({ id, windowPid }) => id !== '' && !isInUse(windowPid) && !isKnown(id))
  const sessions = new Set(ours.filter(({ sessionPid }) => !isInUse(sessionPid)).map(({ session }) => session))
  const script = [
    ...forgotten.map(({ id, session }) => `( ${endScript({ id, session, owner })} )`),
    ...[...sessions].map((session) => `( ${tidyScript(session, owner)}\n)`),
  ]
  if (script.length > 0) await runScript(shell, script.join('\n'), { timeoutMs: clearMs })
}

function readWindow(row: string) {
  const [owner = '', sessionPid = '', session = '', windowPid = '', id = ''] = row.split('\t')
  return { owner, sessionPid: Number(sessionPid), session, windowPid: Number(windowPid), id }
}

const isInUse = (pid: number): boolean => pid > 0 && isProcessAlive(pid)
