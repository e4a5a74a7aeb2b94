import { cpSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { at } from '../scripts/run.mjs'
import { tool } from './tool.mjs'
import { home, layApp, layCommand, layShare, settle, walk, write } from './tree.mjs'

const architectures = { x64: 'x86_64', arm64: 'aarch64' }

const requires = [
  'gtk3',
  'nss',
  'alsa-lib',
  'mesa-libgbm',
  'libXScrnSaver',
  'libX11-xcb',
  'at-spi2-core',
  'libdrm',
  'libnotify',
  'libsecret',
  'xdg-utils',
]

/** @param {{ unpacked: string, version: string, arch: 'x64' | 'arm64', epoch: number, maintainer: string, quick: boolean }} app */
export async function buildRpm(app, { work, output }) {
  const root = join(work, 'rpm')
  layApp(join(root, home), app)
  layCommand(root)
  layShare(join(root, 'usr/share'), { ...app, zsh: 'zsh/site-functions' })
  write(join(root, 'usr/share/licenses/deckhand/LICENSE'), readFileSync(at('LICENSE')))
  settle(root, app.epoch)
  const arch = architectures[app.arch]
  const spec = join(work, 'deckhand.spec')
  write(spec, specOf(root, app))
  const settings = {
    _topdir: join(work, 'rpm-top'),
    _rpmdir: join(work, 'rpm-out'),
    _buildhost: 'deckhand',
    _binary_payload: app.quick ? 'w1.gzdio' : 'w6T2.xzdio',
    _build_id_links: 'none',
    __os_install_post: '%{nil}',
    debug_package: '%{nil}',
    use_source_date_epoch_as_buildtime: '1',
    clamp_mtime_to_source_date_epoch: '1',
  }
  const defines = Object.entries(settings).flatMap(([name, value]) => ['--define', `${name} ${value}`])
  await tool(
    'rpmbuild',
    ['-bb', '--quiet', '--target', `${arch}-unknown-linux`, '--buildroot', root, ...defines, spec],
    {
      SOURCE_DATE_EPOCH: String(app.epoch),
    },
  )
  const [made] = readdirSync(join(work, 'rpm-out'), { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.rpm'),
  )
  const file = join(output, `deckhand-${app.version}-1.${arch}.rpm`)
  cpSync(join(work, 'rpm-out', made), file)
  return file
}

/** Lists every file, so that a removal takes away exactly what was brought. */
function specOf(root, { version, maintainer }) {
  const files = [...walk(root)].flatMap(({ path, info }) => {
    if (info.isDirectory()) return path === home || path.startsWith(`${home}/`) ? `%dir "/${path}"` : []
    return `"/${path.replaceAll('%', '%%')}"`
  })
  const script = (name, file) =>
    `%${name} -p /bin/sh\n${readFileSync(at(`packaging/linux/${file}`), 'utf8').replaceAll('%', '%%')}`
  return `Name: deckhand
Version: ${version.replaceAll('-', '~')}
Release: 1
Summary: Desktop agent that you can watch
License: MIT
Packager: ${maintainer}
AutoReqProv: no
${requires.map((name) => `Requires: ${name}`).join('\n')}
Recommends: bubblewrap
Recommends: git
%description
Chat with a model, approve what it runs, and see every process in a live
terminal. The same engine runs without a window, from a terminal or a script.
${script('post', 'after-install.sh')}
${script('postun', 'after-remove.sh')}
%files
%defattr(-,root,root,-)
${files.join('\n')}
`
}
