import { quote, type RemoteShell, runScript } from '../shell/remote-shell'
import { tmux } from './tmux-terminal'

/**
 * The tmux sessions that Deckhand creates, as shell text. Each carries a mark: the installation that created it
 * (`owner`), and the process of this machine that uses it. Only sessions with our own mark are ever ended.
 */

/** The first window of a session; nothing runs in it. */
const firstWindow = 'deckhand'
export const paneWindow = 'buddy-shared'
const tidyMs = 4_000

/** Creates the session if it is missing, and marks it as used by us. */
export function ensureSessionScript(session: string, owner: string | undefined, window = firstWindow): string {
  const [name, target] = [quote(`=${session}`), quote(`=${session}:`)]
  const made = `${tmux} new-session -d -s ${quote(session)} -n ${window} -x 200 -y 50`
  const marked =
    owner === undefined ? made : `${made} \\; set-option -t ${target} @deckhand ${owner} \\; ${usedBy(target)}`
  // A session that the user has created is not ours, whatever its name.
  const reused = `[ "$(${tmux} display-message -p -t ${target} '#{@deckhand}')" != "${owner}" ] || ${tmux} ${usedBy(target)}`
  return `if ${tmux} has-session -t ${name} 2>/dev/null; then ${reused}; else ${marked} || exit; fi`
}

const usedBy = (target: string): string => `set-option -t ${target} @deckhand_pid ${process.pid}`

/** Ends one of our sessions if nothing runs in it and no client is attached. */
export function tidyScript(session: string, owner: string): string {
  const target = quote(`=${session}:`)
  return [
    `[ "$(${tmux} display-message -p -t ${target} '#{@deckhand} #{session_attached}' 2>/dev/null)" = '${owner} 0' ] || exit 0`,
    'parents=$({ ps -A -o ppid= 2>/dev/null || ps -o ppid; } | tr -d " ")',
    `busy=$(${tmux} list-panes -s -t ${target} -F '#{window_name} #{pane_pid} #{pane_current_command}' | while read -r w p c; do`,
    `  case $w in ${firstWindow} | ${paneWindow}) ;; *) echo "$w" ;; esac`,
    '  case $c in *sh) ;; *) echo "$c" ;; esac',
    '  ! echo "$parents" | grep -qx "$p" || echo "$p"',
    'done)',
    `[ -n "$busy" ] || ${tmux} kill-session -t ${quote(`=${session}`)}`,
  ].join('\n')
}

/** As `tidyScript`. If the machine is out of reach, the next connection does it. */
export async function tidySession(shell: RemoteShell, session: string, owner: string | undefined): Promise<void> {
  if (owner === undefined || !(await shell.check())) return
  await runScript(shell, tidyScript(session, owner), { timeoutMs: tidyMs, atClose: true }).catch(() => {}) // See above.
}
