import { AppImageUpdater, type AppUpdater, type UpdateInfo } from 'electron-updater'
import type { AppAdapter } from 'electron-updater/out/AppAdapter'
import { Provider, type ProviderRuntimeOptions } from 'electron-updater/out/providers/Provider'
import type { UpdateManifest } from './manifest'

interface Wish {
  manifest: UpdateManifest
  url: string
  arch: string
  /** For tests; else the running app. */
  app?: AppAdapter
}

/**
 * electron-updater for an AppImage, led by a manifest whose signature holds: it fetches what differs, compares the whole
 * with the hash of the manifest and puts it in place. Its own list, which nobody signs, is never asked for.
 */
export function appImageUpdater({ manifest, url, arch, app }: Wish): AppUpdater {
  const base = url.endsWith('/') ? url : `${url}/`
  const file = manifest.files.find(
    (each) => each.platform === 'linux' && each.arch === arch && each.name.endsWith('.AppImage'),
  )
  if (!file) throw new Error(`The release ${manifest.version} has no AppImage for this machine`)
  const blocks = file.blockMapSize === undefined ? {} : { blockMapSize: file.blockMapSize }
  const info: UpdateInfo = {
    version: manifest.version,
    files: [{ url: file.name, sha512: file.sha512, size: file.size, ...blocks }],
    path: file.name,
    sha512: file.sha512,
    releaseDate: new Date(manifest.signedAt * 1000).toISOString(),
    releaseNotes: manifest.notes,
  }
  class SignedProvider extends Provider<UpdateInfo> {
    constructor(_options: unknown, _updater: AppUpdater, runtime: ProviderRuntimeOptions) {
      super(runtime)
    }
    /** Several parts in one answer are more than many a plain server can give. */
    override get isUseMultipleRangeRequest(): boolean {
      return false
    }
    override getLatestVersion(): Promise<UpdateInfo> {
      return Promise.resolve(info)
    }
    override resolveFiles({ files }: UpdateInfo) {
      return files.map((each) => ({ url: new URL(each.url, base), info: each }))
    }
  }
  const updater = new AppImageUpdater({ provider: 'custom', updateProvider: SignedProvider } as never, app)
  // The user decides, and nothing is replaced before the app has ended in order.
  updater.autoDownload = false
  updater.autoInstallOnAppQuit = true
  updater.allowDowngrade = false
  return updater
}
