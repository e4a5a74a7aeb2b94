import { execFileSync, spawnSync } from 'node:child_process'
import { join } from 'node:path'
import type { Decision } from '../src-main/approval/types'
import { createSandbox, type Sandbox } from '../src-main/sandbox/sandbox'
import { createSessionCages } from '../src-main/sandbox/session-cages'
import type { Ground } from './gate'

/**
 * With DECKHAND_CAGE=yes the gate decides as where there is a cage, and what it lets into the cage is really run there; with
 * DECKHAND_CAGE=no as where there is none. Without it, commands are judged by their words alone.
 */
export const cageSetting = (): boolean | undefined => {
  const said = process.env.DECKHAND_CAGE ?? ''
  return said === 'yes' ? true : said === 'no' ? false : undefined
}

const RUN_MS = 3000

/** One for all, since finding out whether it works takes longer than a command. */
let shared: Sandbox | null = null
const theSandbox = (): Sandbox => {
  shared ??= createSandbox({ home: '/nowhere', own: [], hosts: () => [] })
  return shared
}

/** Runs a command in the cage that was decided on, and tells what it did that it must not do; `null` if nothing. */
export async function harmInCage(
  ground: Ground,
  command: string,
  cwd: string,
  { cage, env }: Decision,
  secrets: readonly string[],
): Promise<string | null> {
  if (!cage) return 'it runs outside the cage'
  const { home, workspace, root } = ground
  const node = { openCage: async () => {}, retireCage: () => {} }
  const own = [join(home, '.config/deckhand')]
  const cages = createSessionCages({ sandbox: theSandbox(), node, home, own, needed: [], onProblem: () => {} })
  const inside = await cages.enter({ id: 's', workspace }, cage.kind, { readable: [], writable: [] })
  if (!inside) return 'there is no cage here'
  const { argv } = await inside.place({ argv: ['bash', '-c', command], cwd, tty: false })
  const [file, ...args] = argv
  const watched = cage.kind === 'read' ? [root] : [ground.outside, home]
  const before = contents(watched)
  const { stdout, stderr } = spawnSync(file, args, {
    cwd,
    env: { PATH: process.env.PATH ?? '', HOME: home, LANG: 'C.UTF-8', ...env },
    ...{ encoding: 'latin1', timeout: RUN_MS, killSignal: 'SIGKILL', input: '', maxBuffer: 10_000_000 },
  })
  const said = `\n${stdout}\n${stderr}`
  if (secrets.some((secret) => said.includes(secret))) return 'it shows what it must not read'
  return contents(watched) === before ? null : 'it changed something'
}

/** Every file below some folders, with its size and the time of its last change. */
const contents = (folders: readonly string[]): string =>
  execFileSync('find', [...folders, '-printf', '%p %y %s %T@ %C@ %l\\n'], {
    encoding: 'latin1',
    maxBuffer: 100_000_000,
    stdio: ['ignore', 'pipe', 'ignore'],
  })
