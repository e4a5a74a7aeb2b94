import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import type { SshTarget } from './ssh'

const program = '/usr/sbin/sshd'

/** Whether sshd is installed. */
export const hasSshd = existsSync(program)

export interface TestSshd {
  target: Required<SshTarget>
  /** A client configuration that knows the host's key. */
  configFile: string
  /** How many connections it has accepted. */
  connections(): number
  /** As if the network went away. */
  dropConnections(): void
  /** Adds the client's configuration to every call of ssh, since OpenSSH does not use HOME to find it. */
  shim<T>(make: (name: string, body: string) => T): T
  stop(): Promise<void>
}

/** A real sshd on loopback with its own keys. Commands there get `home` and `tmuxFolder`. */
export async function startSshd(options: {
  home: string
  tmuxFolder: string
  /** The PATH of commands there. */
  path?: string
  /** The passphrase of the user's key. */
  passphrase?: string
  /** The host's key is unknown, so ssh has to ask about it. */
  strict?: boolean
  /** A program that runs instead of each command, which it gets as SSH_ORIGINAL_COMMAND. */
  forced?: string
}): Promise<TestSshd> {
  const folder = join(options.home, 'sshd')
  mkdirSync(folder, { recursive: true })
  const key = (name: string, passphrase = '') =>
    execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', passphrase, '-f', join(folder, name)])
  key('host')
  key('user', options.passphrase)
  writeFileSync(join(folder, 'authorized'), readFileSync(join(folder, 'user.pub')))
  const port = await freePort()
  const log = join(folder, 'log')
  writeFileSync(log, '')
  writeFileSync(
    join(folder, 'sshd_config'),
    [
      `Port ${port}`,
      'ListenAddress 127.0.0.1',
      `HostKey ${join(folder, 'host')}`,
      `AuthorizedKeysFile ${join(folder, 'authorized')}`,
      'PidFile none',
      'StrictModes no',
      'UsePAM no',
      'PasswordAuthentication no',
      'MaxSessions 100',
      ...(options.forced === undefined ? [] : [`ForceCommand ${options.forced}`]),
      `SetEnv HOME=${options.home} TMUX_TMPDIR=${options.tmuxFolder} SHELL=/bin/sh${options.path ? ` PATH=${options.path}` : ''}`,
      '',
    ].join('\n'),
  )
  const configFile = join(folder, 'config')
  writeFileSync(
    configFile,
    [
      'Host *',
      `  IdentityFile ${join(folder, 'user')}`,
      '  IdentitiesOnly yes',
      '  IdentityAgent none',
      `  UserKnownHostsFile ${join(folder, 'known')}`,
      `  StrictHostKeyChecking ${options.strict ? 'ask' : 'accept-new'}`,
      '',
    ].join('\n'),
  )
  // sshd needs this folder for privilege separation when it runs as root.
  if (process.getuid?.() === 0) mkdirSync('/run/sshd', { recursive: true })
  const server = spawn(program, ['-D', '-f', join(folder, 'sshd_config'), '-E', log], { stdio: 'ignore' })
  const ended = new Promise<void>((resolve) => server.once('exit', () => resolve()))
  await until(() => readFileSync(log, 'utf8').includes('Server listening'))

  const dropConnections = () => {
    const { stdout } = spawnSync('ps', ['-o', 'pid=', '--ppid', String(server.pid)], { encoding: 'utf8' })
    const pids = stdout.split('\n').map(Number).filter(Boolean)
    if (pids.length > 0) spawnSync('kill', ['-KILL', ...pids.map(String)])
  }
  return {
    target: { host: `${userInfo().username}@127.0.0.1`, port },
    configFile,
    connections: () => readFileSync(log, 'utf8').split('Accepted publickey').length - 1,
    dropConnections,
    shim: (make) => make('ssh', `exec /usr/bin/ssh -F ${configFile} "$@"`),
    async stop() {
      dropConnections()
      server.kill('SIGKILL')
      await ended
    },
  }
}

async function freePort(): Promise<number> {
  const probe = createServer()
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve))
  const address = probe.address()
  await new Promise((resolve) => probe.close(resolve))
  if (address === null || typeof address === 'string') throw new Error('No port')
  return address.port
}

async function until(done: () => boolean): Promise<void> {
  for (let tries = 0; tries < 600 && !done(); tries++) await new Promise((resolve) => setTimeout(resolve, 50))
  if (!done()) throw new Error('sshd did not start')
}
