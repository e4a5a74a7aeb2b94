import type { BackendPlace } from '../../../src-preload/contract/backends'
import { NodeError } from '../node-error'
import { type OpenedShell, type RemoteShell, runArgv, wordsOf } from './remote-shell'

const engines = ['docker', 'podman', 'kubectl'] as const
type ContainerEngine = (typeof engines)[number]

const probeMs = 10_000
/** A container under load may be slow. */
const openMs = 60_000

/** The installed engines; the first one is used unless another one has the container. */
export async function findEngines(env: Readonly<Record<string, string>>): Promise<ContainerEngine[]> {
  const found = await Promise.all(
    engines.map(async (engine) => {
      const version = engine === 'kubectl' ? ['version', '--client'] : ['--version']
      const done = await runArgv([engine, ...version], env, { timeoutMs: probeMs }).catch(() => null)
      return done?.exitCode === 0 ? [engine] : []
    }),
  )
  return found.flat()
}

/** `web`, or `podman:web` and `kubectl:pod` to name the engine. */
export function readContainerName(text: string): { name: string; engine?: ContainerEngine } {
  const [, prefix, rest] = /^(docker|podman|kubectl):(.+)$/.exec(text.trim()) ?? []
  const name = rest ?? text.trim()
  // A name that starts with a dash would be read as an option.
  if (name === '' || name.startsWith('-') || /\s/.test(name))
    throw new NodeError('failed', `${JSON.stringify(text)} is not the name of a container`)
  return { name, ...(prefix !== undefined && { engine: prefix as ContainerEngine }) }
}

/** The engine that a container belongs to. Throws `NodeError`. */
export async function engineOf(name: string, env: Readonly<Record<string, string>>): Promise<ContainerEngine> {
  const found = (await findEngines(env)).filter((engine) => engine !== 'kubectl')
  const [first] = found
  if (!first) throw new NodeError('missing', 'Neither docker nor podman is there')
  if (found.length === 1) return first
  for (const engine of found) {
    const done = await runArgv([engine, 'container', 'inspect', name], env, { timeoutMs: probeMs }).catch(() => null)
    if (done?.exitCode === 0) return engine
  }
  return first
}

interface RunningContainer {
  engine: ContainerEngine
  name: string
  image: string
}

/** The running containers of all engines that answer. */
export async function runningContainers(env: Readonly<Record<string, string>>): Promise<RunningContainer[]> {
  const lists = await Promise.all(
    (await findEngines(env)).map(async (engine) => {
      const done = await runArgv([engine, ...listArguments(engine)], env, { timeoutMs: probeMs }).catch(() => null)
      if (done?.exitCode !== 0) return []
      const rows = done.stdout.toString().split('\n').filter(Boolean)
      return rows.map((row) => {
        const [name = '', image = ''] = row.split('\t')
        return { engine, name, image }
      })
    }),
  )
  return lists.flat().sort((a, b) => (a.name < b.name ? -1 : 1))
}

const listArguments = (engine: ContainerEngine): string[] =>
  engine === 'kubectl'
    ? [
        ...['get', 'pods', '--field-selector=status.phase=Running', '-o'],
        'jsonpath={range .items[*]}{.metadata.name}{"\\t"}{.spec.containers[0].image}{"\\n"}{end}',
      ]
    : ['ps', '--format', '{{.Names}}\t{{.Image}}']

/** Why nothing can be run in it, according to the engine. */
async function containerTrouble(
  { name, engine }: { name: string; engine: ContainerEngine },
  said: string,
  env: Readonly<Record<string, string>>,
): Promise<string> {
  const plain = `container:${name}: ${said}`
  if (engine === 'kubectl') return plain
  const look = [engine, 'container', 'inspect', '--format', '{{.State.Status}}', name] as const
  const found = await runArgv(look, env, { timeoutMs: probeMs }).catch(() => null)
  if (!found) return plain
  if (found.exitCode !== 0) return `There is no container ${name} in ${engine} — check the name with ${engine} ps -a.`
  const state = found.stdout.toString().trim()
  if (state === 'running') return plain
  const verb = state === 'paused' ? 'unpause' : 'start'
  return `The container ${name} does not run (${state}) — ${engine} ${verb} ${name} would change that.`
}

/** Connects to a running container. Throws `NodeError`. */
export async function openContainer(
  place: Extract<BackendPlace, { kind: 'container' }>,
  env: Readonly<Record<string, string>>,
): Promise<OpenedShell> {
  const engine = place.engine ?? (await engineOf(place.name, env))
  const shell = createContainerShell({ name: place.name, engine }, env)
  const answer = await runArgv(shell.argv('true'), env, { timeoutMs: openMs })
  if (answer.exitCode !== 0)
    throw new NodeError('unreachable', await containerTrouble({ ...place, engine }, wordsOf(answer), env))
  return { shell, argv: (command, options) => shell.argv(command, options), close: () => Promise.resolve() }
}

/** Every command is an `exec` of the engine. */
function createContainerShell(
  { name, engine }: { name: string; engine: ContainerEngine },
  env: Readonly<Record<string, string>>,
): RemoteShell {
  const [stdinFlag, ttyFlag] = engine === 'podman' ? ['--interactive', '--tty'] : ['-i', '-t']
  const argv: RemoteShell['argv'] = (command, { stdin = false, tty = false } = {}) => [
    engine,
    'exec',
    ...(stdin || tty ? [stdinFlag] : []),
    ...(tty ? [ttyFlag] : []),
    name,
    ...(engine === 'kubectl' ? ['--'] : []),
    'sh',
    '-lc',
    command,
  ]
  return {
    label: `container:${name}`,
    env,
    argv,
    ready: () => Promise.resolve(),
    // A check would cost as much as the command it is for.
    check: () => Promise.resolve(true),
  }
}
