import { createHash, randomBytes } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { NodeError } from '../node-error'
import { forSh, type OpenedShell, type RemoteShell, runArgv } from './remote-shell'

/** Advice by ssh's message, since its exit code is the same for every failure. */
const advice: readonly [RegExp, string][] = [
  [/could not resolve hostname/i, 'Check the name, ~/.ssh/config and the network.'],
  [
    /permission denied/i,
    'The host refused the key or the password: check the user, and that the key is allowed there.',
  ],
  [
    /identification has changed/i,
    'The host has another key than before. If that is right, remove the old one with ssh-keygen -R.',
  ],
  [
    /host key verification failed/i,
    'The key of the host is not known: connect again and compare it when you are asked.',
  ],
  [/connection refused/i, 'The machine is there, but nothing listens for ssh: check the port and that sshd runs.'],
  [
    /timed out|no route to host|network is unreachable/i,
    'Nothing answers there: check that the machine is on and the network reaches it.',
  ],
]

/** Enough time to look up a password. */
const openMs = 180_000
const closeMs = 5_000
/** A master that does not accept a connection in this time is stuck. */
const probeMs = 5_000
/** The longest socket path that every system accepts, without the suffix that ssh adds while it creates one. */
const maxSocketPath = 80

export interface SshTarget {
  /** `me@host`, or a name in ~/.ssh/config. */
  host: string
  port?: number
}

/** `me@host:2222`; throws `NodeError`. */
export function readSshTarget(text: string): SshTarget {
  const [, host = '', port] = /^([^\s:]+|[^\s:]*\[[^\s\]]+\])(?::(\d{1,5}))?$/.exec(text.trim()) ?? []
  // A name that starts with a dash would be read as an option.
  if (host === '' || host.startsWith('-'))
    throw new NodeError('failed', `${JSON.stringify(text)} is not user@host[:port]`)
  return { host, ...(port !== undefined && { port: Number(port) }) }
}

const sshLabel = ({ host, port }: SshTarget): string => `ssh ${host}${port === undefined ? '' : `:${port}`}`

/** Where ssh may ask: through an askpass program, or on the terminal that the app runs in. */
export type Asking = () => Promise<{ env: Record<string, string>; onTerminal?: true; close(): Promise<void> }>

/** Connects to an ssh host. Throws `NodeError`. */
export async function openSsh(
  { host, port }: SshTarget,
  options: { env: Readonly<Record<string, string>>; asking?: Asking; signal?: AbortSignal },
): Promise<OpenedShell> {
  const shell = createSshShell({ ...options, target: { host, port } })
  await shell.ready()
  return { shell, argv: forSh(shell), close: shell.close }
}

interface SshShell extends RemoteShell {
  close(): Promise<void>
}

/**
 * A host over OpenSSH: one connection for all commands, opened on first use and again after it was lost. `asking` is
 * the environment in which ssh may ask questions; without it, ssh fails instead of asking.
 */
function createSshShell(options: {
  target: SshTarget
  env: Readonly<Record<string, string>>
  asking?: Asking
  signal?: AbortSignal
}): SshShell {
  const { target, env, signal } = options
  const socket = socketPath(target)
  const port = target.port === undefined ? [] : ['-p', String(target.port)]
  let opening: Promise<void> | null = null
  let closed = false

  const open = async (): Promise<void> => {
    await rm(socket, { force: true })
    const asking = await options.asking?.()
    try {
      const done = await runArgv(
        [
          'ssh',
          ...['-MNf', '-o', 'ControlMaster=yes', '-o', 'ControlPersist=yes', '-o', `ControlPath=${socket}`],
          ...['-o', 'ServerAliveInterval=15', ...(asking ? [] : ['-o', 'BatchMode=yes'])],
          ...port,
          target.host,
        ],
        { ...env, ...asking?.env },
        { timeoutMs: openMs, signal, onTerminal: asking?.onTerminal },
      )
      if (done.exitCode !== 0)
        throw new NodeError(
          'unreachable',
          sshTrouble(sshLabel(target), done.stderr.toString() || `ssh ended with ${done.exitCode}`),
        )
    } finally {
      await asking?.close()
    }
  }

  return {
    label: sshLabel(target),
    env,
    signal,
    argv: (command, { tty = false } = {}) => [
      'ssh',
      ...[tty ? '-tt' : '-T', '-S', socket, '-o', 'ControlMaster=no', ...port],
      // ssh's closing message would appear in the terminal as output of the program.
      ...(tty ? ['-o', 'LogLevel=ERROR'] : []),
      target.host,
      command,
    ],
    async ready() {
      // Remaining users of the connection must not reopen it after the user has disconnected.
      if (closed) throw new NodeError('unreachable', `${sshLabel(target)} was disconnected`)
      opening ??= isListening(socket)
        .then((stands) => (stands ? undefined : open()))
        .finally(() => {
          opening = null
        })
      return opening
    },
    check: () => isListening(socket),
    async close() {
      closed = true
      await opening?.catch(() => {}) // The caller that opened it got the error.
      if (!(await isListening(socket))) return
      // If this has no effect either, the master ends with its connection.
      await runArgv(['ssh', '-S', socket, '-O', 'exit', target.host], env, { timeoutMs: closeMs }).catch(() => null)
      await rm(socket, { force: true })
    },
  }
}

function socketPath(target: SshTarget): string {
  const hash = createHash('sha256')
    .update(`${sshLabel(target)} ${process.pid} `)
    .update(randomBytes(16))
    .digest('hex')
  const name = `buddy-ssh-${hash.slice(0, 12)}.sock`
  const path = join(tmpdir(), name)
  return path.length > maxSocketPath ? join('/tmp', name) : path
}

/** A killed master leaves its socket behind, and ssh would then silently open a connection of its own. */
const isListening = (path: string): Promise<boolean> =>
  new Promise((resolve) => {
    const probe = connect(path)
    const settle = (stands: boolean) => {
      probe.destroy()
      resolve(stands)
    }
    probe.setTimeout(probeMs, () => settle(false))
    probe.once('connect', () => settle(true))
    probe.once('error', () => settle(false))
  })

/** Why ssh could not connect, and what can be done. */
function sshTrouble(label: string, said: string): string {
  const lines = said.split('\n').map((line) => line.trim())
  // The banner around a changed key is less useful than its last line.
  const words = lines
    .filter((line) => line !== '' && !line.startsWith('@'))
    .slice(-2)
    .join(' ')
  const [, hint] = advice.find(([pattern]) => pattern.test(said)) ?? []
  return [`${label}: ${words.replace(/\.$/, '')}`, ...(hint === undefined ? [] : [hint])].join(' — ')
}
