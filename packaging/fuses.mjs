import { join } from 'node:path'
import { FuseState, FuseV1Options, FuseVersion, flipFuses, getCurrentFuseWire } from '@electron/fuses'

/** Every fuse that there is, and how it is set. */
const wanted = (platform) => ({
  [FuseV1Options.RunAsNode]: false,
  // On Linux without a keyring the key would be the same everywhere; nothing of ours is in a cookie.
  [FuseV1Options.EnableCookieEncryption]: false,
  [FuseV1Options.EnableNodeOptionsEnvironmentVariable]: false,
  [FuseV1Options.EnableNodeCliInspectArguments]: false,
  // Linux has no such check: the files belong to root there.
  [FuseV1Options.EnableEmbeddedAsarIntegrityValidation]: platform !== 'linux',
  [FuseV1Options.OnlyLoadAppFromAsar]: true,
  [FuseV1Options.LoadBrowserProcessSpecificV8Snapshot]: false,
  [FuseV1Options.GrantFileProtocolExtraPrivileges]: false,
  [FuseV1Options.WasmTrapHandlers]: true,
})

export function programIn(folder, platform, productName = 'Deckhand') {
  if (platform === 'darwin') return join(folder, `${productName}.app/Contents/MacOS/${productName}`)
  return join(folder, platform === 'win32' ? `${productName}.exe` : 'deckhand')
}

/** Sets every fuse that this Electron has. */
export async function setFuses(folder, platform, productName) {
  const program = programIn(folder, platform, productName)
  const has = await getCurrentFuseWire(program)
  const fuses = Object.fromEntries(Object.entries(wanted(platform)).filter(([fuse]) => has[fuse] !== undefined))
  await flipFuses(program, {
    version: FuseVersion.V1,
    strictlyRequireAllFuses: Object.keys(has).filter((key) => key !== 'version').length === Object.keys(fuses).length,
    resetAdHocDarwinSignature: platform === 'darwin',
    ...fuses,
  })
}

/** Names of the fuses of a packed program that are not as they should be. */
export async function fusesAmiss(program, platform) {
  const has = await getCurrentFuseWire(program)
  const unknown = Object.keys(has).filter((key) => key !== 'version' && wanted(platform)[key] === undefined)
  const wrong = Object.entries(wanted(platform)).filter(
    ([fuse, on]) => has[fuse] !== undefined && has[fuse] !== (on ? FuseState.ENABLE : FuseState.DISABLE),
  )
  return [...unknown, ...wrong.map(([fuse]) => fuse)].map((fuse) => FuseV1Options[fuse] ?? `number ${fuse}`)
}
