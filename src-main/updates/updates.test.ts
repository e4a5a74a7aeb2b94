import { generateKeyPairSync } from 'node:crypto'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
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
const newProgram = Buffer.alloc(300_000, 'new program ')

let root: string
let site: string
let data: string
let server: Server
let source: UpdateSource
let cut = false
const before = process.env.APPIMAGE

beforeEach(async () => {
  root = mkdtempSync(join(tmpdir(), 'deckhand-updates-'))
  ;[site, data] = [join(root, 'site'), join(root, 'data')]
  for (const folder of [site, data]) mkdirSync(folder)
  cut = false
  server = createServer((request, response) => {
    const name = new URL(request.url ?? '', 'http://x').pathname.slice(1)
    try {
      const content = readFileSync(join(site, name))
      response.writeHead(200, { 'content-length': content.length })
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
function release(version: string, { key = ours.pem, now = 2_000_000_000_000 } = {}): void {
  writeFileSync(join(site, 'Deckhand-x64.AppImage'), newProgram)
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
async function update(cache = join(root, 'cache')): Promise<string> {
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
  Object.assign(updater, { httpExecutor: new NodeDownloads(), logger: null, disableDifferentialDownload: true })
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

test.runIf(process.platform === 'linux' && process.getuid?.() === 0)('a full disk leaves the old version', async () => {
  release('1.1.0')
  const { execFileSync } = await import('node:child_process')
  const small = join(root, 'small')
  mkdirSync(small)
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', small])
  } catch {
    return // No mounts here, as in some containers.
  }
  try {
    await expect(update(small)).rejects.toMatchObject({ code: 'ENOSPC' })
    kept()
  } finally {
    execFileSync('umount', [small])
  }
})

test('a package of the system is not replaced by the app: it names the command', async () => {
  release('1.1.0')
  const manifest = await look()
  const wish = { url: source.url, arch: 'x64' }
  expect(howToUpdate('deb', manifest, wish)).toBe(
    `curl -fLO ${source.url}deckhand_1.1.0_amd64.deb && sudo apt install ./deckhand_1.1.0_amd64.deb`,
  )
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
