import { capture, hasProgram, isRoot } from './run.mjs'
import { during, Refusal, say } from './say.mjs'

// Debian's names. Several were renamed for 64-bit time (libgtk-3-0t64 …); which of the two exists is asked of apt.
const ELECTRON_LIBRARIES = [
  'libgtk-3-0',
  'libnss3',
  'libasound2',
  'libgbm1',
  'libxss1',
  'libatk-bridge2.0-0',
  'libdrm2',
]

/** Programs we start, and the package each one comes in. */
const PROGRAMS = {
  Xvfb: 'xvfb',
  tmux: 'tmux',
  git: 'git',
  ssh: 'openssh-client',
  sshd: 'openssh-server',
  ps: 'procps',
  bwrap: 'bubblewrap',
  zsh: 'zsh',
}

/** Servers are where only root looks for programs. */
const isThere = (program) => hasProgram(program) || hasProgram(program, '/usr/sbin:/usr/local/sbin')

// What ldd and apt-cache say is read below, so it must not be translated.
const plainWords = { ...process.env, LC_ALL: 'C' }

/**
 * Sees to it that Electron can be loaded and that `programs` are there. On Linux as root with apt what is missing is
 * installed; otherwise the command to type is told. Without the libraries or a program in `programs` nothing can go on;
 * without one in `useful` some features are missing.
 * @param {{ electron: string, programs?: string[], useful?: string[] }} needs
 */
export async function systemPackages({ electron, programs = [], useful = [] }) {
  if (process.platform !== 'linux') return
  const libraries = await missingLibraries(electron)
  const absent = programs.filter((program) => !isThere(program))
  const wished = useful.filter((program) => !isThere(program))
  if (libraries.length + absent.length + wished.length === 0) return

  const packages = [
    ...(libraries.length > 0 ? ELECTRON_LIBRARIES : []),
    ...[...absent, ...wished].map((program) => PROGRAMS[program]),
  ]
  const canInstall = isRoot && hasProgram('apt-get')
  if (canInstall) await install(packages)

  const blocking = [...(await missingLibraries(electron)), ...programs.filter((program) => !isThere(program))]
  if (blocking.length > 0) throw new Refusal(await advice(blocking, packages))
  if (!canInstall) say(`Some features need ${wished.join(', ')}. ${await command(packages)}`)
}

/** @param {string} output of ldd */
export function notFound(output) {
  return [...output.matchAll(/^\s*(\S+) => not found$/gm)].map((match) => match[1])
}

/**
 * Takes the 64-bit-time name where apt knows it, else the plain one.
 * @param {string[]} packages
 * @param {string} policy output of apt-cache policy for both names of each
 */
export function chooseNames(packages, policy) {
  const known = new Set([...policy.matchAll(/^(\S+):\n.*\n +Candidate: (?!\(none\))/gm)].map((match) => match[1]))
  return packages.map((name) => (known.has(`${name}t64`) ? `${name}t64` : name))
}

async function missingLibraries(electron) {
  return notFound((await capture('ldd', [electron], { env: plainWords })).stdout)
}

async function installable(packages) {
  const names = packages.flatMap((name) => [name, `${name}t64`])
  const policy = await capture('apt-cache', ['policy', ...names], { env: plainWords })
  return chooseNames(packages, policy.stdout)
}

async function install(packages) {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const wait = ['-o', 'DPkg::Lock::Timeout=300']
  await during('Updating the list of system packages', () => capture('apt-get', [...wait, 'update'], { env }))
  const names = await installable(packages)
  say(`Installing system packages: ${names.join(' ')}`)
  const result = await capture('apt-get', [...wait, 'install', '-y', '--no-install-recommends', ...names], { env })
  if (result.code !== 0) say(result.output.trim().split('\n').slice(-15).join('\n'))
}

async function advice(missing, packages) {
  return `Deckhand cannot start yet: this system lacks ${missing.join(', ')}.\n${await command(packages)}`
}

async function command(packages) {
  if (!hasProgram('apt-get')) return `Install what your system calls (on Debian): ${packages.join(' ')}`
  const sudo = isRoot ? '' : 'sudo '
  const names = (await installable(packages)).join(' ')
  return `Run: ${sudo}apt-get update && ${sudo}apt-get install -y --no-install-recommends ${names}`
}
