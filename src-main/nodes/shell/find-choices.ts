import type { BackendChoices } from '../../../src-preload/contract/backends'
import { findEngines, runningContainers } from './container'
import { runArgv } from './remote-shell'
import { sshHosts } from './ssh-config'
import { wslDistributions } from './wsl'

/** Containers, hosts and sessions that this machine knows of. */
export async function findChoices(env: Readonly<Record<string, string>>): Promise<BackendChoices> {
  const [containers, engines, distributions, tmux] = await Promise.all([
    runningContainers(env),
    findEngines(env),
    wslDistributions(env),
    runArgv(['tmux', '-V'], env).then(
      ({ exitCode }) => exitCode === 0,
      () => false, // Not installed.
    ),
  ])
  return { sshHosts: sshHosts(), containers, engines, tmux, distributions }
}
