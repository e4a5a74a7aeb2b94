import type { BackendPlace } from '../../../src-preload/contract/backends'
import type { HostInfo } from '../node'
import { NodeError } from '../node-error'
import { type RemoteShell, runScript, wordsOf } from './remote-shell'

export interface HostFacts extends HostInfo {
  home: string
  /** Where relative paths start: the home folder, or the working folder of an image. */
  workspace: string
}

const factsMs = 30_000
/**
 * Works with shell builtins alone, since an image may have nothing else: without `env` and `sed` only the names of
 * variables are missing.
 */
const script = [
  'uname -s 2>/dev/null || echo Linux',
  `uname -n 2>/dev/null || hostname 2>/dev/null || echo '?'`,
  `printf '%s\\n' "\${HOME:-/}" "$PWD" "\${SHELL:-/bin/sh}"`,
  `env 2>/dev/null | sed -n 's/^\\([A-Za-z_][A-Za-z0-9_]*\\)=.*/\\1/p' 2>/dev/null; :`,
].join('\n')

/** Shells that accept `-lc` and have the syntax that the gate can parse. */
const usableShell = /^\/[\w./-]*\/(?:ba|z|da|a|k|mk)?sh$/

/** Reads the facts of a machine. Throws `NodeError`. */
export async function hostFacts(there: RemoteShell, kind: BackendPlace['kind']): Promise<HostFacts> {
  const done = await runScript(there, script, { timeoutMs: factsMs })
  if (done.exitCode !== 0) throw new NodeError('failed', `${there.label}: ${wordsOf(done)}`)
  const [system = '', hostname = '', home = '/', folder = '/', shell = '', ...envKeys] = done.stdout
    .toString()
    .trimEnd()
    .split('\n')
  return {
    os: system === 'Darwin' ? 'darwin' : 'linux',
    hostname,
    home,
    workspace: kind === 'container' ? folder : home,
    shell: usableShell.test(shell) ? shell : '/bin/sh',
    envKeys: [...new Set(envKeys)].sort(),
  }
}
