import { randomBytes } from 'node:crypto'
import { connectionLost, NodeError } from '../node-error'
import { type Channel, endMarks } from '../shell/channel'
import type { Outcome } from '../shell/remote-shell'
import { quote, type RemoteShell, runArgv, wordsOf } from '../shell/remote-shell'
import type { CaptureRequest, SharedPane } from '../tmux/pane'
import {
  busyCode,
  closeChannel,
  createPaneAccess,
  expectDone,
  goneCode,
  openedChannel,
  type PaneWhere,
  quickMs,
} from './pane-access'
import { refuseSecret, settingsLine, tmux, unlessSecret } from './tmux-terminal'
import { clearLine, escaped, isInterrupt, keysAt, tmuxText, typeAtRest, typeIfIdle } from './tmux-typing'

/** What `busyCode` is as an exit code of a shell. */
const busyExit = 44

/** If the shell has not begun to run a line after this, it may be lost; doubled each time. */
const beginMs = 400

/**
 * A tmux pane, over any connection. `own` names a session of ours, created if missing; `at` is an existing pane, such
 * as the one that the app was started in.
 */
export function createSharedPane(shell: RemoteShell, where: PaneWhere): SharedPane & { close(): Promise<void> } {
  const folder = `/tmp/buddy-tmux-${randomBytes(6).toString('hex')}`
  let waits: Promise<Channel> | null = null
  let count = 0
  const { shared, ensure, quickly, withPane, typing, close: closeAccess } = createPaneAccess(shell, where)

  /** An interrupt, perhaps the user's own, can discard the line. Typing it again never runs the command twice. */
  const typeAgainUntilBegun = async (line: string, outcome: Promise<unknown>): Promise<void> => {
    for (let waitMs = beginMs; !(await isSettled(outcome, waitMs)); waitMs *= 2) {
      const again = typeIfIdle(shared, `${clearLine}${line}`)
      const { stdout } = await quickly(shared, `[ ! -f ${folder}/command ] && echo begun || { ${again}; }`)
      if (stdout.length > 0) return
    }
  }
  /** For a named pane, or for the shared one. */
  const about = async (target: string | undefined, script: (pane: string) => string): Promise<Outcome> =>
    target === undefined
      ? withPane(() => quickly(shared, script(shared)))
      : quickly(quote(target), script(quote(target)))

  return {
    session: 'own' in where ? where.own : where.at,
    async run(command, { stdin, cwd = '', ...limits } = {}) {
      if (command.includes('\0')) throw new NodeError('failed', 'A command cannot hold NUL characters')
      waits = openedChannel(shell, waits, stageRunner(folder))
      const channel = await waits
      if (channel.occupied) throw new NodeError('busy', 'The pane still runs an earlier command: wait, or send it C-c')
      const input = stdin === undefined ? '' : `${folder}/stdin`
      if (stdin !== undefined) {
        // The folder exists once the channel answers.
        await channel.request((token) => endMarks(token), { timeoutMs: quickMs })
        await stage(shell, input, stdin)
      }
      count++
      const line = ` sh ${folder}/run`
      const words = `command=${quote(command)}\nid=${count} input=${quote(input)} cwd=${quote(cwd)}\n`
      const done = await typing(() => {
        const outcome = channel.request(
          (token) =>
            `printf %b ${escaped(`${words}token=${token}\n`)} >command; ${typeIfIdle(shared, line)}; ` +
            `case $m in '') ;; busy%*) ${endMarks(token, `${busyCode}`)} ;; ` +
            `*) printf %s "$m" >&2; ${endMarks(token, `${goneCode}`)} ;; esac`,
          limits,
        )
        void typeAgainUntilBegun(line, outcome).catch(() => {}) // Reported through the outcome.
        return outcome.catch((error: unknown) => {
          throw error instanceof NodeError && error.kind === 'unreachable' ? connectionLost(shell.label) : error
        })
      })
      return done.exitCode === goneCode ? expectDone(done) : done
    },
    async dispatch(command) {
      const tell = `${tmux} display-message -p -t ${shared} '#{pane_id}'`
      const script =
        `${typeIfIdle(shared, command, typeAtRest)}; ` +
        `case $m in '') ${tell} ;; busy%*) (exit ${busyExit}) ;; *) printf %s "$m" >&2; false ;; esac`
      const done = await typing(async () => {
        const said = await quickly(shared, script)
        return said.exitCode === busyExit ? { ...said, exitCode: busyCode } : said
      })
      return expectDone(done).stdout.toString().trim()
    },
    async capture(request) {
      const take = (alternate: boolean) =>
        about(request.target, (at) => `${tmux} capture-pane ${captureFlags(request, alternate)} -t ${at}`)
      const done = await take(request.alternateScreen ?? false)
      if (done.exitCode === 0 || !request.alternateScreen)
        return { text: expectDone(done).stdout.toString(), fellBack: false }
      return { text: expectDone(await take(false)).stdout.toString(), fellBack: true }
    },
    async sendKeys({ target, text, keys = [], enter }) {
      const script = (at: string) =>
        [
          ...(text ? [`T=${tmuxText(text)}; ${tmux} send-keys -t ${at} -l -- "$T"`] : []),
          ...(keys.length > 0 ? [keysAt(at, keys)] : []),
          ...(enter ? [`${tmux} send-keys -t ${at} Enter`] : []),
        ].join(' && ') || ':'
      // Interrupts are allowed: the agent has no other way out of a password prompt.
      const leaves = !text && !enter && keys.every(isInterrupt)
      const done = await about(target, (at) => (leaves ? script(at) : unlessSecret(at, script(at))))
      refuseSecret(done)
      expectDone(done)
    },
    async targets() {
      const format =
        '#{pane_id}\t#{session_name}:#{window_index}.#{pane_index}\t#{pane_current_command}\t#{pane_active}'
      const done = expectDone(await about(undefined, () => `${tmux} list-panes -a -F ${quote(format)}`))
      return done.stdout.toString().split('\n').filter(Boolean).map(targetOf)
    },
    async attach() {
      await ensure()
      return shell.argv(`exec ${tmux} attach-session -t ${shared}`, { tty: true })
    },
    terminal: () => shell.argv(`exec sh -c ${quote(settingsLine(shared))}`),
    async close() {
      await closeChannel(waits)
      await closeAccess()
    },
  }
}

const targetOf = (row: string) => {
  const [pane = '', window = '', command = '', active] = row.split('\t')
  return { pane, window, command, active: active === '1' }
}

/**
 * The script that the pane's shell runs. The command's stdin is the pane; its two output streams go through a `tee`
 * each, to the pane and to the waiting channel. Its end is reported even after an interrupt, or if the reader is gone.
 */
const runner = `
d=\${0%/*}; mv "$d/command" "$d/running" 2>/dev/null || exit 0; . "$d/running"
printf '\\033[2m[deckhand %s: begin]\\033[0m %s\\n' "$id" "$command"
trap : INT QUIT
{
  {
    trap : INT QUIT
    [ -z "$cwd" ] || cd "$cwd" || command='exit 1'
    # One argument of a program may have 128 kB on Linux.
    if [ \${#command} -gt 30000 ]; then
      printf %s "$command" >"$d/text"; set -- 'eval "shift; $(cat "$1")"' sh "$d/text"
    else set -- "$command"; fi
    if [ -n "$input" ]; then sh -c "$@" 3>&- <"$input"; else sh -c "$@" 3>&-; fi
    echo $? >"$d/code"
  } 2>&1 >&3 3>&- | (trap '' INT QUIT PIPE; exec tee "$d/err" 2>/dev/null) >&2
} 3>&1 | (trap '' INT QUIT PIPE; exec tee "$d/out" 2>/dev/null)
read -r code <"$d/code"
printf '\\033[2m[deckhand %s: end %s]\\033[0m\\n' "$id" "$code"
rm -f "$input"
printf '\\n%s %s\\n' "$token" "$code" 1<>"$d/out"
printf '\\n%s\\n' "$token" 1<>"$d/err"
`

/**
 * Writes the script where only its user can read it. Two pipes that never end carry the pane's output to this
 * connection.
 */
const stageRunner = (folder: string): string =>
  [
    `umask 077; mkdir -m 700 ${folder} && cd ${folder} || exit`,
    `trap 'rm -rf ${folder}' EXIT; trap 'exit 0' HUP TERM PIPE`,
    `printf %b ${escaped(runner)} >run; mkfifo out err; exec 8<>out 9<>err`,
    'cat <out 8>&- 9>&- & cat <err >&2 8>&- 9>&- &',
  ].join('; ')

async function stage(shell: RemoteShell, path: string, data: Uint8Array): Promise<void> {
  const argv = shell.argv(`umask 077; cat >${quote(path)}`, { stdin: true })
  const done = await runArgv(argv, shell.env, { stdin: data })
  if (done.exitCode !== 0) throw new NodeError('failed', wordsOf(done))
}

const isSettled = (work: Promise<unknown>, ms: number): Promise<boolean> =>
  new Promise((resolve) => {
    const timer = setTimeout(() => resolve(false), ms)
    const settled = () => {
      clearTimeout(timer)
      resolve(true)
    }
    work.then(settled, settled)
  })

function captureFlags(request: CaptureRequest, alternate: boolean): string {
  const { joinWrapped = true, start, end } = request
  return [
    '-p',
    ...(joinWrapped ? ['-J'] : []),
    ...(request.keepTrailingSpaces ? ['-N'] : []),
    ...(request.escapes ? ['-e'] : []),
    ...(request.escapeNonPrintable ? ['-C'] : []),
    ...(alternate ? ['-a'] : []),
    ...(start === undefined ? [] : ['-S', quote(start)]),
    ...(end === undefined ? [] : ['-E', quote(end)]),
  ].join(' ')
}
