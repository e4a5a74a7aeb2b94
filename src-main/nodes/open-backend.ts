import { createHash } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import type { BackendPlace } from '../../src-preload/contract/backends'
import { type Backend, BackendError } from './backend'
import { containerTrouble, createContainerReach, engineOf } from './container'
import { localReach, quote, type Reach, type RunOptions, runArgv, runScript, wordsOf } from './reach'
import { createSharedPane } from './shared-pane'
import { type Asking, createSshReach, type SshTarget } from './ssh'

export type { BackendPlace as Place }

export interface OpenBackend extends Backend {
  readonly reach: Reach
  /** Closes the way; what runs in tmux goes on. */
  close(): Promise<void>
}

export interface BackendOptions {
  /** The node that the gate judges its calls by. */
  node: string
  /** For the programs that lead there: without secrets. Names of the terminal that the app itself was started in may be in it. */
  env: Readonly<Record<string, string>>
  asking?: Asking
  /** Ends whatever is under way. */
  signal?: AbortSignal
}

/** Opens the way to a place and its pane. Throws `BackendError`, and then leaves nothing open. */
export async function openBackend(place: BackendPlace, options: BackendOptions): Promise<OpenBackend> {
  if (place.kind === 'local') {
    const backend = localBackend(options, place.tmux)
    if (place.tmux !== undefined) await backend.pane?.targets()
    return backend
  }
  if (place.kind === 'container') return openContainer(place, options)
  return openSsh(place, options)
}

/** As `buddy-1a2b`: the same for the same place, so that it is found again. */
export function sessionNameFor(label: string): string {
  return `buddy-${createHash('sha256').update(label).digest('hex').slice(0, 4)}`
}

/** This machine. Without a session of its own it has the pane that the app was started in, if there is one. */
export function localBackend({ node, env }: BackendOptions, tmux?: true | string): OpenBackend {
  const reach = localReach(env)
  const inside = env.TMUX && env.TMUX_PANE
  const pane =
    tmux !== undefined
      ? createSharedPane(reach, { own: tmux === true ? sessionNameFor('local') : tmux })
      : inside
        ? createSharedPane(reach, { at: inside })
        : null
  return {
    kind: tmux === undefined ? 'local' : 'local-tmux',
    label: reach.label,
    node,
    reach,
    argv: reach.argv,
    ready: reach.ready,
    readFile: async (path, mostBytes) => (await readFile(path)).subarray(0, mostBytes),
    writeFile: (path, data) => writeFile(path, data),
    pane,
    close: () => Promise.resolve(pane?.close()),
  }
}

async function openContainer(
  place: Extract<BackendPlace, { kind: 'container' }>,
  { node, env }: BackendOptions,
): Promise<OpenBackend> {
  const engine = place.engine ?? (await engineOf(place.name, env))
  const reach = createContainerReach({ name: place.name, engine }, env)
  const answer = await runArgv(reach.argv('true'), env)
  if (answer.exitCode !== 0)
    throw new BackendError('unreachable', await containerTrouble({ ...place, engine }, wordsOf(answer), env))
  const pane = place.tmux === undefined ? null : createSharedPane(reach, { own: sessionOf(place.tmux, reach) })
  if (pane) await pane.targets()
  return {
    kind: pane ? 'container-tmux' : 'container',
    label: reach.label,
    node,
    reach,
    argv: (command, options) => reach.argv(command, options),
    ready: reach.ready,
    ...filesThrough(reach),
    pane,
    close: () => Promise.resolve(pane?.close()),
  }
}

async function openSsh(place: Extract<BackendPlace, { kind: 'ssh' }>, options: BackendOptions): Promise<OpenBackend> {
  const { host, port, tmux } = place
  const target: SshTarget = { host, ...(port !== undefined && { port }) }
  const reach = createSshReach({ ...options, target })
  await reach.ready()
  try {
    const hasTmux = tmux !== undefined || (await runScript(reach, 'command -v tmux')).exitCode === 0
    const pane = hasTmux ? createSharedPane(reach, { own: sessionOf(tmux ?? true, reach) }) : null
    if (pane) await pane.targets()
    return {
      kind: pane ? 'ssh-tmux' : 'ssh',
      label: reach.label,
      node: options.node,
      reach,
      // The user's own shell there may be none that a command for `sh` can be given to.
      argv: (command, flags) => reach.argv(`exec sh -c ${quote(command)}`, flags),
      ready: reach.ready,
      ...filesThrough(reach),
      pane,
      async close() {
        pane?.close()
        await reach.close()
      },
    }
  } catch (error) {
    await reach.close()
    throw error
  }
}

const sessionOf = (tmux: true | string, reach: Reach): string => (tmux === true ? sessionNameFor(reach.label) : tmux)

function filesThrough(reach: Reach): Pick<Backend, 'readFile' | 'writeFile'> {
  const run = async (command: string, options: RunOptions) => {
    await reach.ready()
    const argv = reach.argv(command, { stdin: options.stdin !== undefined })
    const done = await runArgv(argv, reach.env, options)
    if (done.exitCode !== 0) throw new BackendError('failed', wordsOf(done) || `exit code ${done.exitCode}`)
    return done.stdout
  }
  return {
    readFile: (path, mostBytes) => run(`cat -- ${quote(path)}`, mostBytes === undefined ? {} : { mostBytes }),
    async writeFile(path, data) {
      await run(`cat > ${quote(path)}`, { stdin: data })
    },
  }
}
