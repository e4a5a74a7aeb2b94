import { spawn } from 'node:child_process'
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { at, capture } from '../../scripts/run.mjs'
import { during, Refusal } from '../../scripts/say.mjs'

/** Who uses the installed app. */
export const user = { name: 'tester', id: 1000, home: '/home/tester' }

/** A system with nothing but what Debian calls minimal, made once and kept. */
async function baseRoot() {
  const base = at('node_modules/.cache/package-root')
  if (existsSync(base)) return base
  mkdirSync(at('node_modules/.cache'), { recursive: true })
  const made = `${base}-${process.pid}`
  const { suite, mirror } = thisSystem()
  await during(`Making a clean ${suite} by debootstrap`, () =>
    must('debootstrap', ['--variant=minbase', '--include=ca-certificates', suite, made, mirror]),
  )
  renameSync(made, base)
  return base
}

/** The same release as here, from the same place that apt uses here. */
function thisSystem() {
  const suite = /^VERSION_CODENAME=(\S+)/m.exec(readFileSync('/etc/os-release', 'utf8'))?.[1]
  const folder = '/etc/apt/sources.list.d'
  const files = ['/etc/apt/sources.list', ...readdirSync(folder).map((name) => join(folder, name))]
  const text = files.map((file) => (existsSync(file) ? readFileSync(file, 'utf8') : '')).join('\n')
  const mirror = /^(?:URIs:|deb)\s.*?(https?:\/\/\S+)/m.exec(text)?.[1]
  if (!suite || !mirror) throw new Refusal('This test needs Debian or Ubuntu: apt has no source here.')
  return { suite, mirror }
}

/** A copy of the clean system with an ordinary user, for one test. */
export async function openRoot() {
  const base = await baseRoot()
  const folder = mkdtempSync(join(tmpdir(), 'deckhand-root-'))
  const path = join(folder, 'root')
  await must('cp', ['-a', base, path])
  appendFileSync(join(path, 'etc/passwd'), `${user.name}:x:${user.id}:${user.id}::${user.home}:/bin/bash\n`)
  appendFileSync(join(path, 'etc/group'), `${user.name}:x:${user.id}:\n`)
  mkdirSync(join(path, user.home), { recursive: true })
  await must('chown', ['-R', `${user.id}:${user.id}`, join(path, user.home)])
  return { path, close: () => rmSync(folder, { recursive: true, force: true }) }
}

/**
 * The words that run a program inside. Not by chroot: a process in one can have no namespaces, and so no sandbox.
 * @param {{ as: 'root' | 'user', env?: Record<string, string>, readable?: Record<string, string> }} how `readable`: folders of
 *   this system, by where they are inside
 */
export function inside(root, words, { as, env = {}, readable = {} }) {
  const mounts = ['--bind', root, '/', '--dev-bind', '/dev', '/dev', '--proc', '/proc', '--ro-bind', '/sys', '/sys']
  const home = as === 'root' ? '/root' : user.home
  const variables = { HOME: home, PATH: '/usr/sbin:/usr/bin:/sbin:/bin', LANG: 'C.UTF-8', SHELL: '/bin/bash', ...env }
  return [
    ...[
      'bwrap',
      ...mounts,
      '--perms',
      '1777',
      '--tmpfs',
      '/tmp',
      '--tmpfs',
      '/run',
      ...Object.entries(readable).flatMap(([place, folder]) => ['--ro-bind', folder, place]),
      '--unshare-pid',
      '--die-with-parent',
      '--cap-add',
      'ALL',
    ],
    ...['--clearenv', ...Object.entries(variables).flatMap(([name, value]) => ['--setenv', name, value])],
    ...['--chdir', home, '--'],
    ...(as === 'root'
      ? []
      : ['setpriv', `--reuid=${user.id}`, `--regid=${user.id}`, '--clear-groups', '--inh-caps=-all']),
    ...words,
  ]
}

/** Runs a program inside to its end. */
export async function runInside(root, words, how) {
  const [program, ...args] = inside(root, words, how)
  return capture(program, args)
}

/** Starts a program inside that goes on. */
export function startInside(root, words, how) {
  const [program, ...args] = inside(root, words, how)
  return spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'] })
}

/** Installs packages from files, with what they need from the system's own source. */
export async function install(root, files) {
  const names = files.map((file) => `/var/tmp/${basename(file)}`)
  for (const [index, file] of files.entries()) await must('cp', [file, join(root, names[index])])
  const env = { DEBIAN_FRONTEND: 'noninteractive' }
  for (const words of [
    ['apt-get', 'update', '-qq'],
    ['apt-get', 'install', '-y', '-qq', '--no-install-recommends', ...names],
    ['rm', '-f', ...names],
  ]) {
    const { code, output } = await runInside(root, words, { as: 'root', env })
    if (code !== 0) throw new Refusal(`${words.join(' ')} failed inside.\n${output.slice(-3000)}`)
  }
}

async function must(program, args) {
  const { code, output } = await capture(program, args)
  if (code !== 0) throw new Refusal(`${program} failed (exit code ${code}).\n${output.slice(-3000)}`)
}
