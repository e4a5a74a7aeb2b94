import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { at } from '../scripts/run.mjs'
import { tool } from './tool.mjs'
import { home, layApp, layCommand, layShare, settle, walk, write } from './tree.mjs'

const architectures = { x64: 'amd64', arm64: 'arm64' }

const depends = [
  'libgtk-3-0 | libgtk-3-0t64',
  'libnss3',
  'libasound2 | libasound2t64',
  'libgbm1',
  'libxss1',
  // Loaded while it runs, so that no list of libraries names it.
  'libx11-xcb1',
  'libatk-bridge2.0-0 | libatk-bridge2.0-0t64',
  'libatspi2.0-0 | libatspi2.0-0t64',
  'libdrm2',
  'libnotify4',
  'libsecret-1-0',
  'xdg-utils',
]

const words = `desktop agent that you can watch
 Chat with a model, approve what it runs, and see every process in a live
 terminal. The same engine runs without a window, from a terminal or a script.`

/** @param {{ unpacked: string, version: string, arch: 'x64' | 'arm64', epoch: number, maintainer: string, quick: boolean }} app */
export async function buildDeb(app, { work, output }) {
  const root = join(work, 'deb')
  layApp(join(root, home), app)
  layCommand(root)
  layShare(join(root, 'usr/share'), { ...app, zsh: 'zsh/vendor-completions' })
  write(join(root, 'usr/share/doc/deckhand/copyright'), copyright())
  const arch = architectures[app.arch]
  const file = join(output, `deckhand_${app.version}_${arch}.deb`)
  const fields = {
    Package: 'deckhand',
    Architecture: arch,
    Depends: depends.join(', '),
    Recommends: 'bubblewrap, git',
    Suggests: 'deckhand-memory-model, tmux, openssh-client',
    Description: words,
  }
  const scripts = { postinst: 'after-install.sh', postrm: 'after-remove.sh' }
  await seal(root, { ...app, fields, scripts, file })
  return file
}

/** The weights of the embedding model, a third of the whole and not needed by everybody. */
export async function buildModelDeb(app, { work, output, model }) {
  const root = join(work, 'model-deb')
  for (const { path } of model.files)
    write(join(root, home, 'resources/memory-model', path), readFileSync(join(model.folder, path)))
  write(join(root, 'usr/share/doc/deckhand-memory-model/copyright'), readFileSync(join(model.folder, '../LICENSE')))
  const file = join(output, `deckhand-memory-model_${model.version}_all.deb`)
  const fields = {
    Package: 'deckhand-memory-model',
    Architecture: 'all',
    Enhances: 'deckhand',
    Description: 'lets Deckhand search its memory by meaning\n Without it the memory is searched by words only.',
  }
  await seal(root, { ...app, version: model.version, fields, scripts: {}, file })
  return file
}

async function seal(root, { version, maintainer, epoch, quick, fields, scripts, file }) {
  const files = [...walk(root)].filter(({ info }) => info.isFile())
  const kib = files.reduce((sum, { info }) => sum + Math.ceil(info.size / 1024), 0)
  const { Package, Architecture, ...rest } = fields
  const all = {
    Package,
    Version: version,
    Architecture,
    Maintainer: maintainer,
    'Installed-Size': kib,
    Section: 'devel',
    Priority: 'optional',
    ...rest,
  }
  const control = join(root, 'DEBIAN')
  mkdirSync(control)
  const sums = files.map(
    ({ path }) =>
      `${createHash('md5')
        .update(readFileSync(join(root, path)))
        .digest('hex')}  ${path}\n`,
  )
  write(
    join(control, 'control'),
    Object.entries(all)
      .map(([name, value]) => `${name}: ${value}\n`)
      .join(''),
  )
  write(join(control, 'md5sums'), sums.join(''))
  for (const [name, from] of Object.entries(scripts))
    write(join(control, name), readFileSync(at(`packaging/linux/${from}`)))
  settle(root, epoch)
  await tool('chmod', ['0755', ...Object.keys(scripts).map((name) => join(control, name)), control])
  await tool('dpkg-deb', ['--root-owner-group', ...(quick ? ['-Zgzip', '-z1'] : ['-Zxz']), '--build', root, file], {
    SOURCE_DATE_EPOCH: String(epoch),
  })
}

const copyright = () =>
  [
    'Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/',
    'Upstream-Name: Deckhand',
    'Comment: What others wrote is in /opt/deckhand/THIRD-PARTY-NOTICES.txt and /opt/deckhand/LICENSES.chromium.html.',
    '',
    'Files: *',
    'Copyright: 2026 The Deckhand authors',
    'License: Expat',
    ...readFileSync(at('LICENSE'), 'utf8')
      .split('\n')
      .slice(4)
      .map((line) => ` ${line.trim() || '.'}`),
    '',
  ].join('\n')
