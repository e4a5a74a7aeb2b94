import { homedir } from 'node:os'
import { shellFiles } from '../files/shell-files'
import type { LocalNode } from '../local'
import { withShortArguments } from '../long-arguments'
import type { HostInfo, Node, NodeProcess, ProcessSpec } from '../node'
import { quote, type RemoteShell, runScript } from './remote-shell'
import { staged } from './staged-text'

const ending = new Set<NodeJS.Signals>(['SIGKILL', 'SIGTERM', 'SIGHUP'])
/** What the far end still has to say comes through the near one. */
const nearEndMs = 300
const signalMs = 30_000

/**
 * A node whose processes are programs of this machine that lead there: `ssh`, `docker exec`. They end with the app. A
 * signal goes to both ends, since not every such program passes one on.
 */
export function createDirectNode(options: {
  id: string
  shell: RemoteShell
  localNode: LocalNode
  info: HostInfo
}): Node {
  const { shell, localNode } = options
  return {
    id: options.id,
    role: 'execution',
    info: () => options.info,
    files: shellFiles(shell),
    async start(spec: ProcessSpec): Promise<NodeProcess> {
      await shell.ready()
      const tty = spec.tty !== null
      const argv = shell.argv(`exec sh -c ${quote(await staged(shell, programFor(spec)))}`, { tty, stdin: true })
      const farTerminal = tty ? { farTerminal: shell.argv(`exec sh -c ${quote(settingsScript(spec.id))}`) } : {}
      const started = await localNode.start({ ...spec, argv, cwd: homedir(), env: {}, ...farTerminal })
      return {
        ...started,
        signal(name) {
          void runScript(shell, signalScript(spec.id, name), { timeoutMs: signalMs }).catch(() => {}) // The near end is told in any case.
          if (ending.has(name)) setTimeout(() => started.signal(name), nearEndMs)
        },
      }
    },
    close: () => Promise.resolve(),
  }
}

/** Its pid and its terminal. */
const pidFile = (id: string): string => `/tmp/deckhand-${id}.pid`

const programFor = ({ id, cwd, env, argv }: ProcessSpec): string =>
  [
    ...Object.entries(env).map(([name, value]) => `export ${name}=${quote(value)}`),
    `cd -- ${quote(cwd)} || exit`,
    `(umask 077; set -C; echo "$$ $(tty)" >${pidFile(id)}) 2>/dev/null`,
    `trap 'rm -f ${pidFile(id)}' EXIT; trap : INT QUIT TERM HUP`,
    withShortArguments(argv).map(quote).join(' '),
  ].join('; ')

const settingsScript = (id: string): string => `read -r p t <${pidFile(id)} && LC_ALL=C stty -a <"$t"`

const signalScript = (id: string, name: NodeJS.Signals): string => {
  const signal = name.replace(/^SIG/, '')
  // Its group where it leads one, and otherwise the program below the shell that waits for it.
  return [
    `read -r p t <${pidFile(id)} || exit 0`,
    `kill -s ${signal} -- -"$p" 2>/dev/null && exit`,
    `for s in /proc/[0-9]*/stat; do read -r q c _ r _ <"$s" 2>/dev/null && [ "$r" = "$p" ] && kill -s ${signal} "$q"; done`,
    signal === 'KILL' ? `kill -s KILL "$p"; rm -f ${pidFile(id)}` : ':',
  ].join('\n')
}
