import { existsSync } from 'node:fs'
import { hasProgram } from '../scripts/run.mjs'
import { buildDeb, buildModelDeb } from './deb.mjs'
import { buildRpm } from './rpm.mjs'
import { buildTarball } from './tarball.mjs'

/**
 * Every form in which Deckhand is packed. Those with `build` are made from the packed folder by programs of the system;
 * the others are made by electron-builder itself, which needs tools that it would have to download.
 */
export const formats = [
  { name: 'deb', platform: 'linux', build: buildDeb, lacks: () => lacksProgram('dpkg-deb', 'apt install dpkg') },
  { name: 'model', platform: 'linux', build: buildModelDeb, lacks: () => lacksProgram('dpkg-deb', 'apt install dpkg') },
  { name: 'rpm', platform: 'linux', build: buildRpm, lacks: () => lacksProgram('rpmbuild', 'apt install rpm') },
  { name: 'tar.gz', platform: 'linux', build: buildTarball, lacks: () => lacksProgram('tar', 'apt install tar') },
  { name: 'AppImage', platform: 'linux', lacks: () => lacksFolder('APPIMAGE_TOOLS_PATH', 'the AppImage runtime') },
  {
    name: 'nsis',
    platform: 'win32',
    lacks: () => (onIts('win32') ? '' : lacksFolder('ELECTRON_BUILDER_NSIS_DIR', 'NSIS')),
  },
  { name: 'zip', platform: 'win32', lacks: () => '' },
  { name: 'dmg', platform: 'darwin', lacks: () => (onIts('darwin') ? '' : 'a Mac') },
  { name: 'zip', platform: 'darwin', lacks: () => (onIts('darwin') ? '' : 'a Mac') },
]

const onIts = (platform) => process.platform === platform
const lacksProgram = (program, command) => (hasProgram(program) ? '' : `${program} (${command})`)
const lacksFolder = (variable, what) =>
  existsSync(process.env[variable] ?? '') ? '' : `${what}, with ${variable} naming its folder`
