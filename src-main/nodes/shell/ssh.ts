import { createHash, randomBytes } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { NodeError } from '../node-error'
import { forSh, type OpenedShell, type RemoteShell, runArgv } from './remote-shell'
import { sshTrouble } from './ssh-words'

/** Time enough to find a password. */
const openMs = 180_000
const closeMs = 5_000
/** A master that takes no connection in this time is stuck. */
const probeMs = 5_000
/** What a socket's path may weigh on every system, with the suffix that ssh adds while it makes one. */
const maxSocketPath = 80

export interface SshTarget {
  /** `me@host`, or a name of ~/.ssh/config. */
  host: string
  port?: number
}

/** `me@host:2222`; throws `NodeError`. */
export function readSshTarget(text: string): SshTarget {
  const [, host = '', port] = /^([^\s:]+|[^\s:]*\[[^\s\]]+\])(?::(\d{1,5}))?$/.exec(text.trim()) ?? []
  // A name that begins like an option would be one.
  if (host === '' || host.startsWith('-'))
    throw new NodeError('failed', `${JSON.stringify(text)} is not user@host[:port]`)
  return { host, ...(port !== undefined && { port: Number(port) }) }
}

const sshLabel = ({ host, port }: SshTarget): string => `ssh ${host}${port === undefined ? '' : `:${port}`}`

/** Where ssh may ask: through a program, or on the terminal that the app runs in. */
export type Asking = () => Promise<{ env: Record<string, string>; onTerminal?: true; close(): Promise<void> }>

/** The way to an ssh host. Throws `NodeError`. */
export async function openSsh(
  { host, port }: SshTarget,
  options: { env: Readonly<Record<string, string>>; asking?: Asking; signal?: AbortSignal },
): Promise<OpenedShell> {
  const shell = createSshShell({ ...options, target: { host, ...(port !== undefined && { port }) } })
  await shell.ready()
  return { shell, argv: forSh(shell), close: shell.close }
}

interface SshShell extends RemoteShell {
  close(): Promise<void>
}

/**
 * A host over OpenSSH: one connection, opened when it is first needed and again when it was lost, which all commands go
 * through. `asking` is the environment in which ssh may ask questions; without it, it fails instead of asking.
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
        { timeoutMs: openMs, ...(signal && { signal }), ...(asking?.onTerminal && { onTerminal: true }) },
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
    ...(signal && { signal }),
    argv: (command, { tty = false } = {}) => [
      'ssh',
      ...[tty ? '-tt' : '-T', '-S', socket, '-o', 'ControlMaster=no', ...port],
      // Its farewell would stand in the terminal as if the program had said it.
      ...(tty ? ['-o', 'LogLevel=ERROR'] : []),
      target.host,
      command,
    ],
    async ready() {
      // Whatever still holds on to it must not open it again behind the user's back.
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
      await opening?.catch(() => {}) // Whoever opened it was told.
      if (!(await isListening(socket))) return
      // Where it does not listen to that either, it ends with its connection.
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

/** A master that was killed leaves its socket behind, and then ssh would quietly go its own way. */
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
