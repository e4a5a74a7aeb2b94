import { existsSync, mkdirSync, statSync } from 'node:fs'
import { homedir, hostname } from 'node:os'
import { join, resolve } from 'node:path'
import { version } from '../../package.json'
import { isLoopback } from '../../src-preload/contract/loopback'
import { helpFor, parseArguments, UsageError } from '../arguments'
import { idFromHostname, idTrouble } from '../gateway/node-ids'
import { isPin } from '../gateway/pin'
import { startAgent } from './agent'
import { nodeCommand } from './command'
import { ownWords, writeUnit } from './systemd-unit'

/** `deckhand node`: runs until it is stopped or the gateway refuses it. Returns the exit code. */
export async function runNode(words: readonly string[]): Promise<number> {
  try {
    const parsed = parseArguments(nodeCommand, words)
    if (!parsed.help) return await serve(parsed.options)
    process.stdout.write(helpFor(nodeCommand))
    return 0
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    process.stderr.write(`deckhand: ${error.message}\ndeckhand node --help tells what there is.\n`)
    return 2
  }
}

export async function serve(given: ReadonlyMap<string, string>): Promise<number> {
  const id = given.get('id') ?? `node-${idFromHostname(hostname())}`
  const trouble = idTrouble(id)
  if (trouble) throw new UsageError(`--id: ${trouble}`)
  const gateway = gatewayUrl(given.get('gateway'))
  const token = given.get('token') ?? process.env.DECKHAND_NODE_TOKEN
  if (!token) throw new UsageError('--token T is needed, or DECKHAND_NODE_TOKEN in the environment')
  const pin = given.get('pin')
  if (pin !== undefined && !isPin(pin))
    throw new UsageError('--pin is sha256: and 43 letters, as the Nodes page shows it')
  if (pin !== undefined && gateway.protocol === 'ws:') throw new UsageError('--pin needs an address with wss://')
  const workspace = resolve(given.get('workspace') ?? '.')
  if (!existsSync(workspace) || !statSync(workspace).isDirectory()) {
    throw new UsageError(`--workspace: there is no folder ${workspace}`)
  }
  const folder = resolve(given.get('data') ?? join(homedir(), '.deckhand', 'nodes', id))
  const role = given.get('role') === 'specialized' ? 'specialized' : 'execution'
  if (given.has('install-unit')) {
    const configHome = process.env.XDG_CONFIG_HOME || join(homedir(), '.config')
    const unit = {
      program: ownWords(),
      id,
      gateway: gateway.href,
      pin,
      token,
      workspace,
      role,
      data: folder,
    }
    process.stdout.write(writeUnit(unit, configHome))
    return 0
  }
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  // Hides the token from the process list.
  process.title = `deckhand node ${id}`
  delete process.env.DECKHAND_NODE_TOKEN
  const echo = !given.has('quiet')

  return new Promise((done) => {
    const agent = startAgent({
      gateway: gateway.href,
      token,
      pin,
      id,
      workspace,
      role,
      folder,
      version,
      echo,
      onRefused: () => end(1),
    })
    let ending = false
    const end = (code: number): void => {
      // Another signal must not interrupt the shutdown: running processes would be left behind.
      if (ending) return
      ending = true
      agent.close().then(
        () => done(code),
        () => done(1),
      )
    }
    const stop = (): void => end(0)
    process.on('SIGINT', stop).on('SIGTERM', stop).on('SIGHUP', stop)
  })
}

function gatewayUrl(text: string | undefined): URL {
  if (!text) throw new UsageError('--gateway URL is needed, such as wss://desk.example:47615')
  const url = URL.canParse(text) ? new URL(text) : null
  if (!url || (url.protocol !== 'ws:' && url.protocol !== 'wss:')) {
    throw new UsageError(`--gateway is an address such as ws://127.0.0.1:47615, not "${text}"`)
  }
  if (url.username || url.password || url.search) throw new UsageError('--gateway takes no password and no query')
  if (url.protocol === 'ws:' && !isLoopback(url.hostname)) {
    throw new UsageError(
      `${url.host} is another machine, and ws:// is not encrypted: the token and everything else could be read on the way. Use wss://, or an ssh tunnel to a port of this machine`,
    )
  }
  if (url.pathname === '/') url.pathname = '/ws'
  return url
}
