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
  const sandbox: Sandbox = createSandbox({ home, own: [join(home, '.config/deckhand')], hosts: () => [] })
  const node = { openCage: async () => {}, retireCage: () => {} }
  const cages = createSessionCages({ sandbox, node, home, own: [], needed: [], onProblem: () => {} })
  try {
    const inside = await cages.enter({ id: 's', workspace }, cage.kind, { readable: [], writable: [] })
    if (!inside) return 'there is no cage here'
    const { argv } = await inside.place({ argv: ['bash', '-c', command], cwd, tty: false })
    const [file, ...args] = argv
    const before = contents(cage.kind === 'read' ? root : ground.outside) + contents(home)
    const { stdout, stderr } = spawnSync(file, args, {
      cwd,
      env: { PATH: process.env.PATH ?? '', HOME: home, LANG: 'C.UTF-8', ...env },
      ...{ encoding: 'latin1', timeout: RUN_MS, killSignal: 'SIGKILL', input: '', maxBuffer: 10_000_000 },
    })
    const said = `${stdout}${stderr}`
    if (secrets.some((secret) => said.includes(secret))) return 'it shows what it must not read'
    const after = contents(cage.kind === 'read' ? root : ground.outside) + contents(home)
    return before === after ? null : 'it changed something'
  } finally {
    await sandbox.close()
  }
}

/** Every file below a folder with what is in it. */
const contents = (folder: string): string =>
  execFileSync(
    'find',
    [folder, '-printf', '%p %y %s %T@ %l\\n', '-type', 'f', '-size', '-64k', '-exec', 'md5sum', '{}', '+'],
    { encoding: 'latin1', maxBuffer: 100_000_000, stdio: ['ignore', 'pipe', 'ignore'] },
  )
