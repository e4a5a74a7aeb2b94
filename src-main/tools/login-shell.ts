import { statSync } from 'node:fs'
import { join } from 'node:path'
import { commandEnv } from '../nodes/command-env'
import { learnLogin } from './learn-login'
import { loginShell } from './shell'

export interface ShellStart {
  argv: readonly [string, ...string[]]
  env: Record<string, string>
}

/** How to start a command as the user's login shell would, with variables of its own. */
export type StartCommand = (command: string, env: Record<string, string>) => ShellStart

/** Files that were read by others are not watched, so what was learnt is looked at anew after this. */
const freshMs = 5 * 60_000
/** Commands that follow each other this closely share one look at the files. */
const lookMs = 500

/**
 * The user's login shell for many commands. It reads its start-up files for the first of them; from then on, where these do
 * nothing but set variables, commands are given the variables. To read the files takes longer than most commands: 4 ms
 * on a bare Debian, hundreds where they start programs.
 */
export function createLoginShell(given: Readonly<Record<string, string | undefined>> = process.env): StartCommand {
  const base = commandEnv(given)
  let commands = 0
  let seen = { stamp: '', at: Number.NEGATIVE_INFINITY }
  let asked = { stamp: '', at: Number.NEGATIVE_INFINITY }
  let variables: Record<string, string> | null = null

  const learn = async (shell: string, stamp: string): Promise<void> => {
    const asking = { stamp, at: Date.now() }
    asked = asking
    variables = null
    const learnt = await learnLogin(shell, base)
    if (asked === asking) variables = learnt
  }

  return (command, env) => {
    const shell = loginShell(given.SHELL)
    if (Date.now() - seen.at > lookMs) seen = { stamp: stampOf(base.HOME ?? '/'), at: Date.now() }
    const stamp = `${shell}\n${seen.stamp}`
    commands++
    // Whoever runs two commands will run more.
    if (commands > 1 && (asked.stamp !== stamp || Date.now() - asked.at > freshMs)) void learn(shell, stamp)
    const learnt = asked.stamp === stamp ? variables : null
    // What a command brings along may be what the files build upon.
    if (!learnt || Object.keys(env).some((name) => Object.hasOwn(learnt, name)))
      return { argv: [shell, '-lc', command], env }
    return { argv: [shell, '--noprofile', '-lc', command], env: { ...env, ...learnt } }
  }
}

const system = ['/etc/profile', '/etc/profile.d', '/etc/bash.bashrc', '/etc/environment']
const own = ['.bash_profile', '.bash_login', '.profile', '.bashrc']

function stampOf(home: string): string {
  return [...system, ...own.map((name) => join(home, name))]
    .map((path) => statSync(path, { throwIfNoEntry: false }))
    .map((found) => (found ? `${found.mtimeMs} ${found.size}` : ''))
    .join('\n')
}
