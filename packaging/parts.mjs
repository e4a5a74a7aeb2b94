import { createHash } from 'node:crypto'
import { accessSync, constants, existsSync, readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, normalize } from 'node:path'
import { fusesAmiss, programIn } from './fuses.mjs'

const { extractFile, listPackage, statFile } = createRequire(import.meta.url)('@electron/asar')

/** Files of the build that nothing else points to. */
const entries = [
  ...['start', 'index', 'cli', 'pty-host', 'embed-worker', 'page-worker', 'sandbox-bridge', 'tool-relay'].map(
    (name) => `main/${name}.js`,
  ),
  'preload/index.cjs',
  'preload/prompt.cjs',
  'renderer/index.html',
  'renderer/prompt.html',
  'replay/player.js',
  'replay/player.css',
]

/** What the build lacks: an entry, or a file that another of its files asks for. */
export function missingFromBuild(out) {
  const files = readdirSync(out, { recursive: true, encoding: 'utf8' }).map((path) => path.replaceAll('\\', '/'))
  const known = new Set(files)
  const missing = entries.filter((path) => !known.has(path)).map((path) => `out/${path}`)
  for (const path of files.filter((name) => /^(main|renderer)\/.*\.(js|html|css)$/.test(name))) {
    for (const wanted of referencesOf(readFileSync(join(out, path), 'utf8'), path)) {
      if (!known.has(wanted)) missing.push(`out/${wanted} (wanted by out/${path})`)
    }
  }
  return missing
}

function referencesOf(text, path) {
  const scripts = /\b(?:from|import)\s*\(?\s*["'`](\.\.?\/[^"'`$\s]+\.js)["'`]/g
  const pages = /\b(?:src|href)="(\.?\/[^"]+)"/g
  const found = [...text.matchAll(path.endsWith('.html') ? pages : scripts)].map(([, wanted]) => wanted)
  const absolute = (wanted) => (wanted.startsWith('/') ? `renderer${wanted}` : join(dirname(path), wanted))
  return found.map((wanted) => normalize(absolute(wanted)).replaceAll('\\', '/'))
}

/**
 * What a packed app lacks or has too much of, compared with the build and with the Electron that it was made from.
 * @param {{ unpacked: string, out: string, electron: string, platform: string, arch: string }} where
 */
export async function amissInPackage({ unpacked, out, electron, platform, arch, components }) {
  const resources =
    platform === 'darwin' ? join(unpacked, 'Deckhand.app/Contents/Resources') : join(unpacked, 'resources')
  const archive = join(resources, 'app.asar')
  if (!existsSync(archive)) return [`${archive} is missing`]
  const inside = new Set(listPackage(archive, {}).map((path) => path.replaceAll('\\', '/').replace(/^\//, '')))
  const amiss = []
  for (const path of filesIn(out).filter((name) => name !== 'built-from' && !name.startsWith('bundled/'))) {
    const name = `out/${path}`
    if (!inside.has(name)) amiss.push(`${name} is missing`)
    else if (hash(extractFile(archive, name)) !== hash(readFileSync(join(out, path))))
      amiss.push(`${name} is not the one of the build`)
  }
  if (JSON.parse(extractFile(archive, 'package.json')).main !== 'out/main/start.js')
    amiss.push('package.json does not lead to start.js')
  const natives = [
    `node_modules/node-pty/prebuilds/${platform}-${arch}/${platform === 'win32' ? 'conpty.node' : 'pty.node'}`,
    `node_modules/@vscode/ripgrep-${platform}-${arch}/bin/${platform === 'win32' ? 'rg.exe' : 'rg'}`,
  ]
  if (platform === 'win32' && !inside.has('node_modules/node-pty/lib/windowsTerminal.js'))
    amiss.push('the JavaScript half of node-pty is missing')
  for (const name of natives) {
    if (!inside.has(name) || !statFile(archive, name).unpacked || !runs(join(`${archive}.unpacked`, name)))
      amiss.push(`${name} is missing or cannot run`)
  }
  const packages = new Set(components.filter(({ bundled }) => !bundled).map(({ folder }) => folder))
  for (const folder of packages) if (!inside.has(`${folder}/package.json`)) amiss.push(`${folder} is missing`)
  for (const path of inside) {
    const [, folder] = /^(node_modules\/(?:@[^/]+\/)?[^/]+)\/package\.json$/.exec(path) ?? []
    if (folder && !packages.has(folder)) amiss.push(`${folder} is in the package, but not in its list of parts`)
  }
  if (platform === 'linux') amiss.push(...missingOfElectron(unpacked, electron))
  if (existsSync(join(resources, 'default_app.asar'))) amiss.push('Electron’s own app was left in')
  for (const name of ['THIRD-PARTY-NOTICES.txt', 'sbom.cdx.json', 'LICENSE.txt', 'LICENSES.chromium.html']) {
    if (!existsSync(join(unpacked, name)) && platform !== 'darwin') amiss.push(`${name} is missing`)
  }
  const fuses = await fusesAmiss(programIn(unpacked, platform), platform)
  return [...amiss, ...fuses.map((name) => `the fuse ${name} is not set`)]
}

function missingOfElectron(unpacked, electron) {
  const renamed = new Map([
    ['electron', 'deckhand'],
    ['LICENSE', 'LICENSE.electron.txt'],
  ])
  return filesIn(electron)
    .filter(
      (path) => path !== 'version' && path !== 'resources/default_app.asar' && !/^locales\/(?!en-US\.pak)/.test(path),
    )
    .map((path) => renamed.get(path) ?? path)
    .filter((path) => !existsSync(join(unpacked, path)))
    .map((path) => `${path} of Electron is missing`)
}

const filesIn = (folder) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) =>
      join(entry.parentPath, entry.name)
        .slice(folder.length + 1)
        .replaceAll('\\', '/'),
    )
    .sort()

const hash = (content) => createHash('sha256').update(content).digest('hex')

function runs(path) {
  try {
    accessSync(path, path.endsWith('.node') || process.platform === 'win32' ? constants.R_OK : constants.X_OK)
    return true
  } catch {
    return false
  }
}
