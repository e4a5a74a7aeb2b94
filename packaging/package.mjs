// npm run package: builds the packages of this commit into dist/, without any network.
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { buildAnew } from '../scripts/build.mjs'
import { electronBinary } from '../scripts/electron-binary.mjs'
import { at, capture } from '../scripts/run.mjs'
import { during, Refusal, runMain, say } from '../scripts/say.mjs'
import { components } from './components.mjs'
import { elfArchitecture } from './elf.mjs'
import { formats } from './formats.mjs'
import { modelFiles } from './model.mjs'
import { thirdPartyNotices, withoutLicence } from './notices.mjs'
import { amissInPackage, missingFromBuild } from './parts.mjs'
import { sbomOf } from './sbom.mjs'
import { inTemporaryFolder, tool } from './tool.mjs'

const usage = `npm run package -- [options]
  --arch x64|arm64        the machine that it is for (default: this one’s)
  --platform linux|win32|darwin   (default: this one; another needs --electron-dist)
  --electron-dist FOLDER  the unpacked Electron to use (default: the one that npm start uses)
  --only deb,rpm,…        some forms only
  --quick                 compress little, for tests of the package
  --development           also with the fallback Electron, which is never in a release`

runMain(async () => {
  const given = readArguments()
  if (given.help) {
    say(usage)
    return 0
  }
  const app = await describeApp(given)
  const wanted = formats.filter(
    ({ name, platform }) => platform === app.platform && (!given.only || given.only.split(',').includes(name)),
  )
  const unknown = given.only?.split(',').filter((each) => !wanted.some(({ name }) => name === each)) ?? []
  if (unknown.length > 0)
    throw new Refusal(`There is no ${unknown.join(', ')} for ${app.platform}. --only takes: ${namesFor(app.platform)}`)
  const [possible, impossible] = [wanted.filter(({ lacks }) => !lacks()), wanted.filter(({ lacks }) => lacks())]
  if (given.only && impossible.length > 0)
    throw new Refusal(impossible.map(({ name, lacks }) => `${name} needs ${lacks()}.`).join('\n'))

  await buildAnew()
  refuseIf('The build is not complete', missingFromBuild(at('out')))
  const parts = components(app)
  refuseIf('Nobody declared the licence of', withoutLicence(parts))
  await during('Writing the manual, completions, notices and the list of parts', () => makeFiles(app, parts))
  const unpacked = await during('Packing the app', () =>
    pack(
      app,
      possible.filter(({ build }) => !build),
    ),
  )
  refuseIf(
    'The package is not as it should be',
    await amissInPackage({ ...app, unpacked, out: at('out'), components: parts }),
  )

  const output = at('dist')
  await inTemporaryFolder(async (work) => {
    for (const { name, build } of possible.filter((format) => format.build)) {
      const file = await during(`Building the ${name}`, () =>
        build({ ...app, unpacked }, { work, output, model: modelFiles() }),
      )
      tell(file)
    }
  })
  for (const { name, lacks } of impossible) say(`Not built: ${name}, which needs ${lacks()}.`)
  const elsewhere = formats
    .filter(({ platform }) => platform !== app.platform)
    .map(({ name, platform }) => `${name} (${platform})`)
  say(`Not built, being for other systems: ${elsewhere.join(', ')}.`)
  return 0
})

function readArguments() {
  try {
    return parseArgs({
      options: {
        arch: { type: 'string', default: process.arch },
        platform: { type: 'string', default: process.platform },
        'electron-dist': { type: 'string' },
        only: { type: 'string' },
        quick: { type: 'boolean', default: false },
        development: { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
      },
    }).values
  } catch (error) {
    throw new Refusal(`${error.message}\n${usage}`)
  }
}

async function describeApp({ arch, platform, development, quick, 'electron-dist': folder }) {
  if (!['x64', 'arm64'].includes(arch)) throw new Refusal(`--arch is x64 or arm64, not ${arch}`)
  if (!['linux', 'win32', 'darwin'].includes(platform))
    throw new Refusal(`--platform is linux, win32 or darwin, not ${platform}`)
  if (!folder) await electronBinary()
  const electron = resolve(folder ?? at('node_modules/electron/dist'))
  if (!existsSync(join(electron, 'version'))) throw new Refusal(`There is no unpacked Electron in ${electron}`)
  const electronVersion = readFileSync(join(electron, 'version'), 'utf8').trim().replace(/^v/, '')
  const official = JSON.parse(readFileSync(at('node_modules/electron/package.json'), 'utf8')).version
  if (electronVersion !== official && !development) {
    throw new Refusal(
      `This is Electron ${electronVersion}, the fallback for development, and a package is made from ${official}.\nWhere that can be downloaded, remove node_modules/electron/dist and run this again; --development builds a package that is not for release.`,
    )
  }
  const found = platform === 'linux' ? elfArchitecture(join(electron, 'electron')) : arch
  if (found !== arch)
    throw new Refusal(
      `Nothing was built: the Electron in ${electron} is for ${found}, not for ${arch}.\nUnpack electron-v${official}-${platform}-${arch}.zip and name its folder with --electron-dist.`,
    )
  if (!existsSync(at(`node_modules/@vscode/ripgrep-${platform}-${arch}`))) {
    const { version } = JSON.parse(readFileSync(at('node_modules/@vscode/ripgrep/package.json'), 'utf8'))
    throw new Refusal(
      `ripgrep for ${platform}-${arch} is missing. Run: npm install --no-save --force @vscode/ripgrep-${platform}-${arch}@${version}`,
    )
  }
  const { version, license, author } = JSON.parse(readFileSync(at('package.json'), 'utf8'))
  return {
    platform,
    arch,
    electron,
    electronVersion,
    licence: license,
    maintainer: author,
    quick,
    // A tilde sorts before the release of the same number.
    version: electronVersion === official ? version : `${version}~development`,
    epoch: await commitTime(),
  }
}

const namesFor = (system) => formats.filter(({ platform }) => platform === system).map(({ name }) => name)

/** The time that all files of a package get, so that two builds of a commit are the same. */
async function commitTime() {
  if (process.env.SOURCE_DATE_EPOCH) return Number(process.env.SOURCE_DATE_EPOCH)
  const { code, stdout } = await capture('git', ['log', '-1', '--format=%ct'])
  if (code !== 0)
    throw new Refusal('This is no checkout of git: set SOURCE_DATE_EPOCH to the time that the files shall have.')
  return Number(stdout.trim())
}

async function makeFiles(app, parts) {
  rmSync(at('dist'), { recursive: true, force: true })
  mkdirSync(at('dist/made'), { recursive: true })
  const put = (name, text) => writeFileSync(at(`dist/made/${name}`), text)
  const electron = await electronBinary()
  const print = (...words) => tool(electron, [at('out/main/cli.js'), ...words], { ELECTRON_RUN_AS_NODE: '1' })
  for (const shell of ['bash', 'zsh', 'fish']) put(`deckhand.${shell}`, await print('completions', shell))
  put('deckhand.1', await print('manual'))
  put('THIRD-PARTY-NOTICES.txt', thirdPartyNotices(parts, app.electronVersion))
  put('sbom.cdx.json', sbomOf(parts, app))
}

/** Has electron-builder pack the folder, and the forms that it makes itself. Answers with the folder. */
async function pack(app, own) {
  const flags = { linux: '--linux', win32: '--win', darwin: '--mac' }
  const targets = ['dir', ...own.map(({ name }) => name)]
  const config = ['--config', at('packaging/electron-builder.config.mjs'), '--publish', 'never']
  const result = await capture(
    process.execPath,
    [at('node_modules/electron-builder/cli.js'), flags[app.platform], ...targets, `--${app.arch}`, ...config],
    {
      env: {
        ...process.env,
        SOURCE_DATE_EPOCH: String(app.epoch),
        DECKHAND_ELECTRON_DIST: app.electron,
        DECKHAND_ELECTRON_VERSION: app.electronVersion,
        DECKHAND_PLATFORM: app.platform,
        DECKHAND_ARCH: app.arch,
      },
    },
  )
  if (result.code !== 0) throw new Refusal(`Packing the app failed.\n${result.output.trim()}`)
  const names = { linux: 'linux', win32: 'win', darwin: 'mac' }
  return at(
    `dist/work/${names[app.platform]}${app.arch === 'arm64' ? '-arm64' : ''}${app.platform === 'darwin' ? '' : '-unpacked'}`,
  )
}

function refuseIf(what, list) {
  if (list.length > 0) throw new Refusal(`${what}:\n${list.map((each) => `  ${each}`).join('\n')}`)
}

function tell(file) {
  const digest = createHash('sha256').update(readFileSync(file)).digest('hex')
  say(`dist/${basename(file)}  ${(statSync(file).size / 1e6).toFixed(1)} MB  sha256 ${digest}`)
}
