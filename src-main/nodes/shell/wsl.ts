import type { BackendPlace } from '../../../src-preload/contract/backends'
import { NodeError } from '../node-error'
import { type OpenedShell, type RemoteShell, runArgv, wordsOf } from './remote-shell'

const program = 'wsl.exe'
const listMs = 10_000
/** The first command starts the distribution. */
const openMs = 60_000

/**
 * Linux distributions of Windows (WSL). Untested on Windows: only tried with a program that answers as `wsl.exe` is
 * documented to.
 */
export async function wslDistributions(
  env: Readonly<Record<string, string>>,
  platform: NodeJS.Platform = process.platform,
): Promise<string[]> {
  if (platform !== 'win32') return []
  const done = await runArgv([program, '--list', '--quiet'], env, { timeoutMs: listMs }).catch(() => null)
  return done?.exitCode === 0 ? readDistributions(done.stdout) : []
}

/** One name per line. `wsl.exe` writes UTF-16 unless WSL_UTF8 is set; Docker's own distributions are left out. */
export const readDistributions = (output: Buffer): string[] =>
  decodeWindows(output)
    .split(/\r?\n/)
    .map((line) => line.replaceAll('\0', '').trim())
    .filter((name) => name !== '' && !/^docker-desktop(?:-data)?$/.test(name) && !/[\s"]/.test(name))

/** UTF-16 if it has the byte order mark, or zeros in many odd positions as Latin text has; otherwise UTF-8. */
export function decodeWindows(bytes: Buffer): string {
  const hasMark = bytes[0] === 0xff && bytes[1] === 0xfe
  const zeros = bytes.subarray(0, 200).filter((byte, index) => index % 2 === 1 && byte === 0).length
  if (hasMark || (zeros > 0 && zeros >= Math.min(bytes.length, 200) / 4))
    return bytes.toString('utf16le').replace(/^\ufeff/, '')
  return bytes.toString('utf8').replace(/^\ufeff/, '')
}

/** Connects to a distribution, which starts it if necessary. Throws `NodeError`. */
export async function openWsl(
  { name }: Extract<BackendPlace, { kind: 'wsl' }>,
  env: Readonly<Record<string, string>>,
): Promise<OpenedShell> {
  // `--exec` starts the program directly; a shell in between would interpret the words again.
  const argv: RemoteShell['argv'] = (command) => [
    program,
    ...['--distribution', name, '--cd', '~', '--exec', 'sh', '-lc', command],
  ]
  const answer = await runArgv(argv('true'), env, { timeoutMs: openMs }).catch((error: unknown) => {
    throw new NodeError('missing', `${program} cannot be started: ${error instanceof Error ? error.message : error}`)
  })
  if (answer.exitCode !== 0) {
    const said = decodeWindows(Buffer.concat([answer.stderr, answer.stdout])).trim() || wordsOf(answer)
    throw new NodeError('unreachable', `wsl:${name}: ${said}`)
  }
  const shell: RemoteShell = {
    label: `wsl:${name}`,
    env,
    argv,
    ready: () => Promise.resolve(),
    check: () => Promise.resolve(true),
  }
  return { shell, argv, close: () => Promise.resolve() }
}
