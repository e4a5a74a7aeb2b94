import { webAddress } from '../../src-preload/contract/call'
import type { McpServerConfig, McpServerInfo } from '../../src-preload/contract/mcp'
import { UsageError } from '../arguments'
import type { Engine } from '../engine'
import { looksSecret } from '../mcp/server-secrets'
import { untilAborted } from '../tools/until-aborted'
import { openHeadlessEngine, workspaceOf } from './headless-engine'
import { startServers } from './mcp-servers'
import type { Stopping } from './stopping'
import { confirm } from './terminal-question'

type Action = (engine: Engine, words: string[], options: Map<string, string>, stopping: Stopping) => Promise<number>

const actions = new Map<string, Action>([
  ['list', list],
  ['add', add],
  ['remove', remove],
  ['trust', trust],
])

/** How long `mcp list` waits for servers to start. */
const startMs = 15_000

/** Serves our tools to other programs, or manages MCP servers without the window. */
export async function mcp(options: Map<string, string>, operands: string[], stopping: Stopping): Promise<number> {
  const [name = '', ...words] = operands
  const action = actions.get(name)
  const serves = name === 'serve' || (name === '' && !process.stdin.isTTY)
  if (serves && words.length === 0) return (await import('./serve-mcp')).serveMcp(options, stopping)
  if (!action) {
    const known = ['serve', ...actions.keys()].join(', ')
    throw new UsageError(
      name
        ? `mcp knows ${known}, not "${name}"`
        : `mcp without a word serves our tools to the program that starts it; on a terminal it needs one of ${known}`,
    )
  }
  const engine = await openHeadlessEngine(options, stopping)
  try {
    return await action(engine, words, options, stopping)
  } finally {
    await engine.close()
  }
}

async function list(engine: Engine, words: string[], options: Map<string, string>, { signal }: Stopping) {
  if (words.length > 0) throw new UsageError(`mcp list takes no name: ${words[0]}`)
  await untilAborted(startServers(engine, workspaceOf(options), startMs), signal)
  const servers = engine.mcp.view()
  if (options.has('json')) process.stdout.write(`${JSON.stringify(servers.map(jsonOf), null, 2)}\n`)
  else if (servers.length === 0) process.stdout.write('No MCP servers. Add one with: deckhand mcp add\n')
  else for (const server of servers) process.stdout.write(`${lineOf(server)}\n`)
  return servers.every(({ state, config }) => state === 'ready' || !config.enabled) ? 0 : 1
}

const jsonOf = ({ id, name, project, transport, state, error, warnings, tools }: McpServerInfo) => ({
  id,
  name,
  project,
  transport,
  state,
  error,
  warnings,
  tools: tools.map(({ fullName, description }) => ({ name: fullName, description })),
})

function lineOf({ name, project, config, state, error, warnings, tools }: McpServerInfo): string {
  const target = config.url ?? [config.command, ...(config.args ?? [])].join(' ')
  const of = project === undefined ? '' : ' (from .mcp.json)'
  const names = tools.map(({ fullName }) => `\n    ${fullName}`).join('')
  // The state already says that it is skipped, and why.
  const more = (state === 'skipped' ? [] : warnings).map((warning) => `\n  ${warning}`).join('')
  return `${name}${of}: ${stateWords(state, config)}${error ? `. ${error}` : ''}\n  ${target}${more}${names}`
}

const stateWords = (state: McpServerInfo['state'], { enabled }: McpServerConfig): string => {
  if (!enabled) return 'off'
  return {
    off: 'off',
    starting: 'no answer yet',
    ready: 'ready',
    waiting: 'not running',
    failed: 'not running',
    'sign-in': 'sign-in needed',
    skipped: 'skipped',
  }[state]
}

async function add({ mcp }: Engine, words: string[], options: Map<string, string>, { signal }: Stopping) {
  const [name, command, ...args] = words
  const url = options.get('url')
  if (!name) throw new UsageError('mcp add needs a name: deckhand mcp add NAME -- COMMAND [ARGS…]')
  if (Boolean(command) === Boolean(url))
    throw new UsageError('mcp add needs either a command after -- or --url, and not both')
  if (mcp.view().some(({ id }) => id === name))
    throw new UsageError(`an MCP server named ${name} already exists; remove it with: deckhand mcp remove ${name}`)
  const env = pairs(options, 'env')
  const headers = pairs(options, 'header')
  if (url && env) throw new UsageError('--env is for a command; use --header with --url')
  if (command && headers) throw new UsageError('--header is for --url; use --env with a command')
  if (url) refuseAddress(url)
  const target = url ? { url, headers } : { command, args, env }
  mcp.save({ id: name, config: { ...target, enabled: true } })
  await mcp.untilTried(name, AbortSignal.any([signal, AbortSignal.timeout(startMs)]))
  process.stdout.write(
    `Added ${mcp
      .view()
      .filter(({ id }) => id === name)
      .map(lineOf)
      .join('')}\n`,
  )
  return 0
}

/** A value that gives access belongs into the keychain, which only the window can write to. */
const soundsSecret = /key|token|secret|passw|authorization|cookie|credential/i

/** What could not be read back from the settings is not saved, and what would be shown with them has no password in it. */
function refuseAddress(url: string): void {
  if (!webAddress.safeParse(url).success) throw new UsageError(`--url needs an address with http:// or https://`)
  const { username, password } = new URL(url)
  if (username !== '' || password !== '')
    throw new UsageError(
      '--url: an address with a name or password in it is not used. Set a header in the window instead',
    )
}

function pairs(options: Map<string, string>, option: string): Record<string, string> | undefined {
  const given = options.get(option)
  if (given === undefined) return undefined
  const entries = given.split('\n').map((pair): [string, string] => {
    const at = pair.indexOf('=')
    if (at < 1) throw new UsageError(`--${option} needs NAME=VALUE, not "${pair}"`)
    const name = pair.slice(0, at)
    // By the second rule the value would be taken out for a keychain that is not there, and lost.
    if (soundsSecret.test(name) || looksSecret.test(name))
      throw new UsageError(
        `--${option} ${name}: this looks like a secret and would be stored as plain text. Add the server in the window, which uses the keychain`,
      )
    return [name, pair.slice(at + 1)]
  })
  return Object.fromEntries(entries)
}

async function remove({ mcp }: Engine, words: string[]) {
  const [name, ...rest] = words
  if (!name || rest.length > 0) throw new UsageError('mcp remove needs one name')
  const known = mcp.view().map(({ id }) => id)
  if (!known.includes(name)) throw new UsageError(`no MCP server named ${name}. Known: ${known.join(', ') || 'none'}`)
  mcp.remove(name)
  process.stdout.write(`Removed ${name}.\n`)
  return 0
}

async function trust({ mcp }: Engine, words: string[], options: Map<string, string>, stopping: Stopping) {
  if (words.length > 0) throw new UsageError('mcp trust takes no name; use --workspace to choose the folder')
  const folder = workspaceOf(options)
  const { project } = await mcp.projects.look(folder)
  for (const warning of project.warnings) process.stderr.write(`${warning}\n`)
  if (project.state === 'none') throw new UsageError(`no .mcp.json with servers in ${folder}`)
  if (project.state === 'trusted') {
    process.stdout.write('Already trusted.\n')
    return 0
  }
  process.stdout.write(`The .mcp.json in ${folder} would start these programs with your permissions:\n`)
  for (const { name, argv, url, env, headers, reads } of project.servers) {
    const given = [...env, ...headers, ...reads.map((variable) => `your ${variable}`)]
    process.stdout.write(
      `  ${name}: ${argv?.join(' ') ?? url}${given.length > 0 ? ` (with ${given.join(', ')})` : ''}\n`,
    )
  }
  if (!(await confirm('Trust them?', options, stopping))) return stopping.exitCode ?? 1
  await mcp.projects.decide(folder, project.hash, 'trust')
  process.stdout.write('Trusted. You will be asked again if the file changes.\n')
  return 0
}
