import { BackendError } from '../nodes/backend'
import type { HostInfo } from '../nodes/node'
import { type Reach, runScript, wordsOf } from '../nodes/reach'

export interface HostFacts extends HostInfo {
  home: string
}

const factsMs = 30_000
const script = `uname -s; uname -n; printf '%s\\n' "\${HOME:-/}" "\${SHELL:-/bin/sh}"; env | sed -n 's/^\\([A-Za-z_][A-Za-z0-9_]*\\)=.*/\\1/p'`

/** Shells that take `-lc` and read what the gate reads. */
const usableShell = /^\/[\w./-]*\/(?:ba|z|da|a|k|mk)?sh$/

/** What a place says of itself. Throws `BackendError`. */
export async function hostFacts(reach: Reach): Promise<HostFacts> {
  const done = await runScript(reach, script, { timeoutMs: factsMs })
  if (done.exitCode !== 0) throw new BackendError('failed', `${reach.label}: ${wordsOf(done)}`)
  const [system = '', hostname = '', home = '/', shell = '', ...envKeys] = done.stdout.toString().trimEnd().split('\n')
  return {
    os: system === 'Darwin' ? 'darwin' : 'linux',
    hostname,
    home,
    shell: usableShell.test(shell) ? shell : '/bin/sh',
    envKeys: [...new Set(envKeys)].sort(),
  }
}
