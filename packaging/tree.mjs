import {
  chmodSync,
  cpSync,
  lstatSync,
  lutimesSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { at } from '../scripts/run.mjs'

/** Where the app lies once it is installed. */
export const home = 'opt/deckhand'

/** Programs, by their path in the app's folder; every other file can only be read. */
const programs = /^(deckhand|chrome-sandbox|chrome_crashpad_handler|bin\/deckhand|.*\.so(\.\d+)*|.*\/bin\/rg|.*\.node)$/

/**
 * Copies the packed app into `folder`, with the command beside it.
 * @param {{ unpacked: string, version: string }} app
 */
export function layApp(folder, { unpacked, version }) {
  cpSync(unpacked, folder, { recursive: true, verbatimSymlinks: true })
  write(join(folder, 'bin/deckhand'), fill('linux/deckhand.sh', { version }))
  write(join(folder, 'resources/apparmor-profile'), readFileSync(at('packaging/linux/apparmor-profile')))
}

/** What the system needs to know of the app, below `usr/share`; `zsh` is where this system's zsh looks. */
export function layShare(folder, { version, epoch, zsh }) {
  const share = (path) => join(folder, path)
  const from = (name) => readFileSync(at(`packaging/linux/${name}`))
  const made = (name) => readFileSync(at(`dist/made/${name}`))
  const date = new Date(epoch * 1000).toISOString().slice(0, 10)
  write(share('applications/deckhand.desktop'), from('deckhand.desktop'))
  for (const name of readdirSync(at('packaging/icons'))) {
    const size = name.replace(/\.\w+$/, '')
    const file = name.endsWith('.svg') ? 'scalable/apps/deckhand.svg' : `${size}/apps/deckhand.png`
    write(share(`icons/hicolor/${file}`), readFileSync(at(`packaging/icons/${name}`)))
  }
  write(share('man/man1/deckhand.1.gz'), gzipSync(made('deckhand.1'), { level: 9 }))
  write(share('bash-completion/completions/deckhand'), made('deckhand.bash'))
  write(share(`${zsh}/_deckhand`), made('deckhand.zsh'))
  write(share('fish/vendor_completions.d/deckhand.fish'), made('deckhand.fish'))
  write(share('metainfo/io.github.deckhand.metainfo.xml'), fill('linux/deckhand.metainfo.xml', { version, date }))
  write(share('kio/servicemenus/deckhand.desktop'), from('kde-service-menu.desktop'))
  write(share('nemo/actions/deckhand.nemo_action'), from('deckhand.nemo_action'))
  write(share('file-manager/actions/deckhand.desktop'), from('file-manager-action.desktop'))
  write(share('nautilus-python/extensions/deckhand.py'), from('nautilus-extension.py'))
}

/** The command on the PATH. */
export function layCommand(root) {
  mkdirSync(join(root, 'usr/bin'), { recursive: true })
  symlinkSync(`/${home}/bin/deckhand`, join(root, 'usr/bin/deckhand'))
}

/** The same modes and times in every build. */
export function settle(root, epoch) {
  const all = [...walk(root)]
  for (const { path, info } of all.reverse()) {
    const full = join(root, path)
    if (!info.isSymbolicLink()) {
      const inApp = path.startsWith(`${home}/`) ? path.slice(home.length + 1) : path
      chmodSync(full, info.isDirectory() || programs.test(inApp) || path.includes('kio/servicemenus/') ? 0o755 : 0o644)
    }
    lutimesSync(full, epoch, epoch)
  }
  chmodSync(root, 0o755)
  lutimesSync(root, epoch, epoch)
}

/** Everything below a folder, each folder before what it holds, in the same order always. */
export function* walk(root, folder = '') {
  for (const name of readdirSync(join(root, folder)).sort()) {
    const path = folder ? `${folder}/${name}` : name
    const info = lstatSync(join(root, path))
    yield { path, info }
    if (info.isDirectory()) yield* walk(root, path)
  }
}

export function write(path, content) {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, content)
}

function fill(file, values) {
  const text = readFileSync(at(`packaging/${file}`), 'utf8')
  return text.replace(/@([A-Z]+)@/g, (_, name) => values[name.toLowerCase()])
}
