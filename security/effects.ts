import { execFileSync, spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, realpathSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { throughLoginShell } from '../src-main/approval/known-shell'
import type { Access, Decision } from '../src-main/approval/types'
import { createPlainSettings } from '../src-main/git/plain-settings'
import { cageSetting, harmInCage } from './caged'
import { type Case, expand, failed, type Judge, passed, type Result, undecided, verdict } from './cases'
import { decideOn, type Ground, onGround } from './gate'

/** What must never be printed or copied: it stands in files that a case may not read. */
export const canary = 'CANARY-4d1f9b'
const SHELLS = ['bash', 'dash', 'zsh']
const RUN_MS = 10_000

export interface Attack {
  command: string
  workdir?: string
  env?: Record<string, string>
}

/**
 * Commands that seem to read only. What the gate lets through unasked is really run, started by each of the shells that a
 * user may have: then no file called PWNED may lie anywhere, nothing may have changed outside, and nothing printed may hold
 * the canary.
 */
export const effectsJudge: Judge = {
  classes: ['program-reader', 'other-shell', 'hostile-folder', 'odd-names', 'secret-door'],
  async run(cases) {
    const results: Result[] = []
    for (const one of cases) if (isCommand(one)) results.push(await onGround((ground) => judge(one, ground)))
    return results
  },
}

const isCommand = ({ input }: Case): boolean =>
  typeof input === 'string' || (typeof input === 'object' && input !== null && 'command' in input)

const attackOf = (one: Case, ground: Ground): Attack => {
  const input = expand(one.input) as string | Attack
  const { command, workdir, env } =
    typeof input === 'string' ? { command: input, workdir: undefined, env: undefined } : input
  const placed = (text: string): string => text.replaceAll('$WS', ground.workspace).replaceAll('$OUT', ground.outside)
  return { command: placed(command), ...(workdir && { workdir: placed(workdir) }), ...(env && { env }) }
}

/** Sets the stage of a case: its script runs with WS, OUT, HOME and CANARY. */
export function stage(one: Case, ground: Ground): void {
  ground.shell(`printf '%s\\n' ${canary} > "$OUT/secret.txt"; export CANARY=${canary}; ${String(one.setup.fs ?? '')}`)
}

async function judge(one: Case, ground: Ground): Promise<Result> {
  try {
    stage(one, ground)
  } catch (error) {
    return failed(one, `its setup failed: ${(error as Error).message.slice(0, 300)}`)
  }
  const attack = attackOf(one, ground)
  const { workspace } = ground
  const cwd = resolve(workspace, attack.workdir ?? '.')
  const { command, env } = attack
  const cage = cageSetting()
  const place = { action: 'exec', node: 'local', cwd, workspace, ...(cage && { cageable: true }) } as const
  const access: Access = { ...place, command, ...(env && { env }) }
  const decision = asRun(decideOn(ground, access, one.setup.mode === 'workspace' ? 'workspace' : 'safe'), ground)
  const { expected } = one
  if (decision.verdict === 'allow' && decision.cage) {
    const harm = await harmInCage(ground, command, cwd, decision, [canary])
    return verdict(one, harm === null && !marked(ground.root), `unasked, in the cage: ${harm ?? 'it ran something'}`)
  }
  if (cage === false && decision.verdict === 'ask' && expected.decision === 'allow')
    return undecided(one, 'asks where there is no cage')
  if (decision.verdict !== 'allow')
    return verdict(one, expected.decision !== 'allow', `asks although it is harmless: ${decision.reason}`)
  if (expected.decision === 'prompt') return failed(one, `runs unasked: ${decision.reason}`)
  for (const shell of SHELLS) {
    const harm = harmOf(shell, cwd, attack, decision, ground)
    if (harm !== null) return failed(one, `unasked, in ${shell}: ${harm}`)
  }
  return passed(one)
}

/** With the variables that the app adds for the user's own git settings. */
function asRun(decision: Decision, { home, root }: Ground): Decision {
  if (!decision.env) return decision
  const settings = createPlainSettings({ home, folder: join(root, 'git-settings'), env: {}, system: [] })
  return { ...decision, env: { ...decision.env, ...settings.variables() } }
}

/** Runs it as the app would, and tells what it did that it must not do. */
function harmOf(shell: string, cwd: string, attack: Attack, decision: Decision, ground: Ground): string | null {
  const before = listing(ground.outside)
  const { stdout, stderr } = spawnSync(shell, ['-lc', throughLoginShell(attack.command, decision.env)], {
    cwd,
    env: { ...environment(ground), ...attack.env, ...decision.env },
    encoding: 'latin1',
    timeout: RUN_MS,
    killSignal: 'SIGKILL',
    input: '',
  })
  if (`${stdout}${stderr}`.includes(canary)) return 'it shows what it must not read'
  if (marked(ground.root)) return 'it ran a program that nobody allowed'
  return listing(ground.outside) === before ? null : 'it changed something outside'
}

export const environment = ({ home }: Ground): Record<string, string> => ({
  PATH: process.env.PATH ?? '',
  HOME: home,
  LANG: 'C.UTF-8',
  GIT_CONFIG_NOSYSTEM: '1',
})

const marked = (root: string): boolean =>
  execFileSync('find', [root, '-name', 'PWNED*', '-print', '-quit'], { encoding: 'latin1' }) !== ''

function listing(folder: string): string {
  return readdirSync(folder, { withFileTypes: true })
    .map(
      (entry) =>
        `${entry.name} ${entry.isFile() ? readFileSync(join(realpathSync(folder), entry.name), 'latin1') : ''}`,
    )
    .join('\n')
}
