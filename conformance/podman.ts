import { execFileSync, spawnSync } from 'node:child_process'
import { copyFileSync, cpSync, existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { realPath } from './places'

export interface PodmanContainer {
  name: string
  stop(): void
}

/** What a shell and tmux need, and what the tests call. */
const programs = 'sh cat tee mkfifo rm mkdir mv sleep seq head tail wc sha256sum find touch tr id hostname tmux'.split(
  ' ',
)
const utf8Locale = '/usr/lib/locale/C.utf8'
const limits = ['--ulimit', 'nofile=4096:4096', '--ulimit', 'nproc=1024:1024']

/**
 * A real container that sleeps, from an image made of this machine's own programs, so that nothing is fetched. Answers with
 * the reason where this machine cannot run one.
 */
export function startPodman(): PodmanContainer | string {
  if (spawnSync('podman', ['--version']).status !== 0) return 'there is no podman'
  // Where systemd is not in charge, crun cannot make its groups.
  const runtime = spawnSync('runc', ['--version']).status === 0 ? ['--runtime', 'runc'] : []
  const name = `deckhand-test-${process.pid}-${Date.now()}`
  const folder = mkdtempSync(join(tmpdir(), 'deckhand-image-'))
  try {
    const root = join(folder, 'root')
    fill(root)
    execFileSync('tar', ['-C', root, '-cf', join(folder, 'image.tar'), '.'])
    podman([...runtime, 'import', join(folder, 'image.tar'), name])
    podman([...runtime, 'run', '-d', '--name', name, '--network', 'none', ...limits, name, 'sleep', '100000'])
  } catch (error) {
    remove(name)
    const said = (error as { stderr?: Buffer }).stderr?.toString().trim() || String(error)
    return `podman cannot run a container here: ${said.split('\n').at(-1)}`
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
  return { name, stop: () => remove(name) }
}

const podman = (words: string[]): void => void execFileSync('podman', words, { stdio: 'pipe', timeout: 60_000 })

function remove(name: string): void {
  spawnSync('podman', ['rm', '-f', '-t', '0', name], { timeout: 60_000 })
  spawnSync('podman', ['rmi', '-f', name], { timeout: 60_000 })
}

function fill(root: string): void {
  for (const each of ['usr/bin', 'tmp', 'root', 'etc']) mkdirSync(join(root, each), { recursive: true })
  symlinkSync('usr/bin', join(root, 'bin'))
  // tmux does not start without a locale of UTF-8.
  if (existsSync(utf8Locale)) cpSync(utf8Locale, join(root, utf8Locale), { recursive: true })
  for (const program of programs) {
    const path = realPath(program)
    copyFileSync(realpathSync(path), join(root, 'usr/bin', program))
    for (const library of librariesOf(path)) {
      const to = join(root, library)
      mkdirSync(dirname(to), { recursive: true })
      if (!existsSync(to)) copyFileSync(realpathSync(library), to)
    }
  }
}

/** None for a program that needs none: then `ldd` complains, and says nothing. */
const librariesOf = (path: string): string[] =>
  [...spawnSync('ldd', [path], { encoding: 'utf8' }).stdout.matchAll(/(?:=> |^\t)(\/\S+) \(/gm)].map(
    ([, file]) => file ?? '',
  )
