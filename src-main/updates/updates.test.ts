import { spawnSync } from 'node:child_process'
import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildBlockMap } from 'app-builder-lib/out/targets/blockmap/blockmap'
import { NodeHttpExecutor } from 'builder-util/out/nodeHttpExecutor'
import { configureRequestOptions, configureRequestUrl, type DownloadOptions } from 'builder-util-runtime'
import type { AppAdapter } from 'electron-updater/out/AppAdapter'
import { afterEach, beforeEach, expect, test } from 'vitest'
// @ts-expect-error A script of the release, without types.
import { writeRelease } from '../../packaging/release.mjs'
import { appImageUpdater } from './app-image'
import { fetchManifest, type UpdateSource } from './fetch-manifest'
import { howInstalled, howToUpdate } from './how-installed'
import { compareVersions } from './versions'

const keys = () => {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  return {
    pem: privateKey.export({ format: 'pem', type: 'pkcs8' }).toString(),
    publicKey: publicKey.export({ format: 'der', type: 'spki' }).toString('base64'),
  }
}
const ours = keys()
/** electron-updater runs what it has installed once. */
const runsNothing = Buffer.from('#!/bin/sh\nexit 0\n')
const newProgram: Buffer = Buffer.concat([runsNothing, Buffer.alloc(300_000, 'new program ')])

let root: string
let site: string
let data: string
let server: Server
let source: UpdateSource
let cut = false
/** Bytes of the AppImage. */
let sent = 0
const before = process.env.APPIMAGE

beforeEach(async () => {
  root = mkdtempSync(join(tmpdir(), 'deckhand-updates-'))
  ;[site, data] = [join(root, 'site'), join(root, 'data')]
  for (const folder of [site, data]) mkdirSync(folder)
  cut = false
  sent = 0
  server = createServer((request, response) => {
    const name = new URL(request.url ?? '', 'http://x').pathname.slice(1)
    try {
      const whole = readFileSync(join(site, name))
      const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '') ?? []
      const content = from === undefined ? whole : whole.subarray(Number(from), Number(to) + 1)
      const part = { 'content-range': `bytes ${from}-${to}/${whole.length}` }
      response.writeHead(from ? 206 : 200, { 'content-length': content.length, ...(from && part) })
      if (name.endsWith('.AppImage')) sent += content.length
      if (cut && name.endsWith('.AppImage')) response.write(content.subarray(0, 1000), () => response.destroy())
      else response.end(content)
    } catch {
      response.writeHead(404).end()
    }
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  source = { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, publicKey: ours.publicKey }
  process.env.APPIMAGE = join(root, 'Deckhand.AppImage')
  writeFileSync(process.env.APPIMAGE, 'old program')
})
afterEach(() => {
  if (before === undefined) delete process.env.APPIMAGE
  else process.env.APPIMAGE = before
  server.closeAllConnections()
  server.close()
  chmodSync(root, 0o755)
  rmSync(root, { recursive: true, force: true })
})

/** Puts a release on the server. */
function release(version: string, { key = ours.pem, now = 2_000_000_000_000, program = newProgram } = {}): void {
  writeFileSync(join(site, 'Deckhand-x64.AppImage'), program)
  writeFileSync(join(site, `deckhand_${version}_amd64.deb`), 'deb')
  writeRelease({ folder: site, version, notes: `What is new in ${version}`, key, now })
}

const look = (current = '1.0.0') => fetchManifest(source, { dataDir: data, current })

/** Downloads as in the app, by Node's own http in place of Chromium's. */
class NodeDownloads extends NodeHttpExecutor {
  download(url: URL, destination: string, options: DownloadOptions): Promise<string> {
    return options.cancellationToken.createPromise<string>((resolve, reject, onCancel) => {
      const request = { headers: options.headers ?? undefined }
      configureRequestUrl(url, request)
      configureRequestOptions(request)
      const callback = (error?: Error | null) => (error ? reject(error) : resolve(destination))
      this.doDownload(request, { destination, options, onCancel, callback, responseHandler: null }, 0)
    })
  }
}

/** Fetches and installs what the server offers, as the running AppImage would. */
async function update({ cache = join(root, 'cache'), differential = false } = {}): Promise<string> {
  const manifest = await look()
  mkdirSync(cache, { recursive: true })
  writeFileSync(join(root, 'app-update.yml'), 'provider: custom\nupdaterCacheDirName: deckhand\n')
  const app: AppAdapter = {
    version: '1.0.0',
    name: 'deckhand',
    isPackaged: true,
    appUpdateConfigPath: join(root, 'app-update.yml'),
    userDataPath: data,
    baseCachePath: cache,
    whenReady: async () => {},
    relaunch: () => {},
    quit: () => {},
    onQuit: () => {},
  }
  const updater = appImageUpdater({ manifest, url: source.url, arch: 'x64', app })
  Object.assign(updater, {
    httpExecutor: new NodeDownloads(),
    logger: null,
    disableDifferentialDownload: !differential,
  })
  updater.on('error', () => undefined)
  const found = await updater.checkForUpdates()
  expect(found?.updateInfo.releaseNotes).toBe(`What is new in ${manifest.version}`)
  await updater.downloadUpdate()
  ;(updater as unknown as { install(silent: boolean, again: boolean): boolean }).install(true, false)
  return readFileSync(process.env.APPIMAGE ?? '', 'utf8')
}

const kept = () => expect(readFileSync(process.env.APPIMAGE ?? '', 'utf8')).toBe('old program')

test('a newer version that is signed is fetched, compared and put in place', async () => {
  release('1.1.0')
  expect(await update()).toBe(newProgram.toString())
})

/** Installs a program with a list of its blocks, and answers with a later one of which most is the same. */
async function laterProgram(): Promise<Buffer> {
  const old = Buffer.concat([runsNothing, randomBytes(400_000)])
  const [installed, later] = [process.env.APPIMAGE ?? '', join(root, 'later.AppImage')]
  writeFileSync(installed, old)
  writeFileSync(later, Buffer.concat([old.subarray(0, 200_000), randomBytes(5000), old.subarray(200_000)]))
  for (const file of [installed, later]) await buildBlockMap(file, 'deflate')
  return readFileSync(later)
}

test('of a newer version only what differs is fetched', async () => {
  const program = await laterProgram()
  release('1.1.0', { program })
  await update({ differential: true })
  expect(readFileSync(process.env.APPIMAGE ?? '').equals(program)).toBe(true)
  expect(sent).toBeLessThan(100_000)
})

test('differences that were altered are refused', async () => {
  const program = await laterProgram()
  const before = readFileSync(process.env.APPIMAGE ?? '')
  release('1.1.0', { program })
  writeFileSync(join(site, 'Deckhand-x64.AppImage'), program.fill('evil', 202_000, 202_100))
  await expect(update({ differential: true })).rejects.toMatchObject({ code: 'ERR_CHECKSUM_MISMATCH' })
  expect(readFileSync(process.env.APPIMAGE ?? '').equals(before)).toBe(true)
})

test('a file that was altered is refused', async () => {
  release('1.1.0')
  writeFileSync(join(site, 'Deckhand-x64.AppImage'), Buffer.alloc(300_000, 'bad program '))
  await expect(update()).rejects.toMatchObject({ code: 'ERR_CHECKSUM_MISMATCH' })
  kept()
})

test('a list that nobody or somebody else signed, or that was altered, is refused', async () => {
  release('1.1.0', { key: keys().pem })
  await expect(look()).rejects.toMatchObject({ kind: 'unsigned' })
  release('1.1.0')
  const list = join(site, 'deckhand-updates.json')
  writeFileSync(list, readFileSync(list, 'utf8').replace('1.1.0', '1.2.0'))
  await expect(look()).rejects.toMatchObject({ kind: 'unsigned' })
  writeFileSync(join(site, 'deckhand-updates.json.sig'), '')
  await expect(look()).rejects.toMatchObject({ kind: 'unsigned' })
  rmSync(join(site, 'deckhand-updates.json.sig'))
  await expect(look()).rejects.toThrow('404')
  kept()
})

test('an old list that was signed once is refused when it is offered again', async () => {
  release('1.1.0')
  const [list, signature] = ['deckhand-updates.json', 'deckhand-updates.json.sig'].map((name) =>
    readFileSync(join(site, name)),
  )
  release('1.2.0', { now: 2_000_000_100_000 })
  expect((await look()).version).toBe('1.2.0')
  writeFileSync(join(site, 'deckhand-updates.json'), list ?? '')
  writeFileSync(join(site, 'deckhand-updates.json.sig'), signature ?? '')
  await expect(look()).rejects.toMatchObject({ kind: 'older' })
  rmSync(join(data, 'updates-seen.json'))
  await expect(look('1.2.0')).rejects.toMatchObject({ kind: 'older' })
  kept()
})

test('a connection that is cut leaves the old version, and the next try succeeds', async () => {
  release('1.1.0')
  cut = true
  await expect(update()).rejects.toThrow()
  kept()
  cut = false
  expect(await update()).toBe(newProgram.toString())
})

test('a full disk leaves the old version', async (context) => {
  const small = join(root, 'small')
  mkdirSync(small)
  if (spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', small]).status !== 0)
    return context.skip('nothing can be mounted here, so there is no disk that could be filled')
  try {
    release('1.1.0')
    await expect(update({ cache: small })).rejects.toMatchObject({ code: 'ENOSPC' })
    kept()
  } finally {
    spawnSync('umount', [small])
  }
})

/** How large a file this process may write; the system then refuses the rest of it, as a full disk would. */
const limitFiles = (bytes: number | 'unlimited'): boolean =>
  spawnSync('prlimit', ['--pid', String(process.pid), `--fsize=${bytes}:unlimited`]).status === 0

test('a file that cannot be written whole leaves the old version, and the next try succeeds', async (context) => {
  release('1.1.0')
  if (!limitFiles(65_536)) return context.skip('there is no prlimit here, or files have a limit already')
  try {
    await expect(update()).rejects.toMatchObject({ code: 'EFBIG' })
    kept()
  } finally {
    limitFiles('unlimited')
  }
  expect(await update()).toBe(newProgram.toString())
})

test('a package of the system is not replaced by the app: it names the command', async () => {
  release('1.1.0')
  const manifest = await look()
  const wish = { url: source.url, arch: 'x64' }
  const command = howToUpdate('deb', manifest, wish) ?? ''
  expect(command.split(' &&\n')).toEqual([
    `curl -fLO ${source.url}deckhand_1.1.0_amd64.deb`,
    expect.stringMatching(/^echo '[0-9a-f]{128} {2}deckhand_1\.1\.0_amd64\.deb' \| sha512sum -c -$/),
    'sudo apt install ./deckhand_1.1.0_amd64.deb',
  ])
  // As it is typed, up to the installation, in the folder that the package was fetched into.
  const typed = (command.split(' &&\n')[1] ?? '').replace(' -c -', ' --status -c -')
  const checked = () => spawnSync('sh', ['-c', typed], { cwd: site }).status
  expect(checked()).toBe(0)
  writeFileSync(join(site, 'deckhand_1.1.0_amd64.deb'), 'another')
  expect(checked()).not.toBe(0)
  expect(howToUpdate('rpm', manifest, wish), 'the release has none').toBeNull()
  expect(howToUpdate('appimage', manifest, wish)).toBeNull()
  const has = (path: string) => path === '/var/lib/dpkg/info/deckhand.list'
  expect(howInstalled('/opt/deckhand/deckhand', {}, has)).toBe('deb')
  expect(howInstalled('/opt/deckhand/deckhand', {}, () => false)).toBe('rpm')
  expect(howInstalled('/home/me/deckhand/deckhand', {}, has)).toBe('folder')
  expect(howInstalled('/tmp/.mount/deckhand', { APPIMAGE: '/x.AppImage' }, has)).toBe('appimage')
})

test('versions are compared by their numbers, and what is early comes before the release', () => {
  const sorted = ['0.10.0', '0.9.9', '1.0.0', '1.0.0~development', '0.9.10'].sort(compareVersions)
  expect(sorted).toEqual(['0.9.9', '0.9.10', '0.10.0', '1.0.0~development', '1.0.0'])
})

test('a package with the fallback Electron is not released', () => {
  writeFileSync(join(site, 'deckhand_1.0.0~development_amd64.deb'), 'deb')
  expect(() => release('1.0.0')).toThrow('not for release')
})
