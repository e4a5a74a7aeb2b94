// npm run release: signs what npm run package has built and writes the list of updates beside it.
import { createHash, createPrivateKey, createPublicKey, sign } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { inflateRawSync } from 'node:zlib'
import { at } from '../scripts/run.mjs'
import { Refusal, runMain, say } from '../scripts/say.mjs'

const kinds = [
  { ending: '.AppImage', platform: 'linux' },
  { ending: '.deb', platform: 'linux' },
  { ending: '.rpm', platform: 'linux' },
  { ending: '.tar.gz', platform: 'linux' },
  { ending: '.exe', platform: 'win32' },
  { ending: '.dmg', platform: 'darwin' },
]

/**
 * Writes `deckhand-updates.json` and its signature for all packages in a folder.
 * @param {{ folder: string, version: string, notes: string, key: string, now: number }} release `key`: Ed25519 in PEM
 */
export function writeRelease({ folder, version, notes, key, now }) {
  const names = readdirSync(folder).filter((name) => !name.startsWith('deckhand-memory-model'))
  const files = names.sort().flatMap((name) => {
    const kind = kinds.find(({ ending }) => name.endsWith(ending))
    if (!kind) return []
    if (name.includes('development'))
      throw new Refusal(`${name} was built with the fallback Electron and is not for release.`)
    const content = readFileSync(join(folder, name))
    const arch = /arm64|aarch64/.test(name) ? 'arm64' : 'x64'
    const sha512 = createHash('sha512').update(content).digest('base64')
    const blockMapSize = kind.ending === '.AppImage' ? blockMapSizeOf(content) : undefined
    return { name, platform: kind.platform, arch, size: content.length, sha512, ...(blockMapSize && { blockMapSize }) }
  })
  if (files.length === 0) throw new Refusal(`There is no package in ${folder}. Run: npm run package`)
  const privateKey = createPrivateKey(key)
  if (privateKey.asymmetricKeyType !== 'ed25519')
    throw new Refusal('The key has to be Ed25519: openssl genpkey -algorithm ed25519')
  const bytes = Buffer.from(`${JSON.stringify({ version, signedAt: Math.floor(now / 1000), notes, files }, null, 1)}\n`)
  writeFileSync(join(folder, 'deckhand-updates.json'), bytes)
  writeFileSync(join(folder, 'deckhand-updates.json.sig'), `${sign(null, bytes, privateKey).toString('base64')}\n`)
  return { files, publicKey: createPublicKey(privateKey).export({ format: 'der', type: 'spki' }).toString('base64') }
}

/** The length of the list of blocks that electron-builder puts at the end of an AppImage, before its own length. */
function blockMapSizeOf(content) {
  const size = content.length > 4 ? content.readUInt32BE(content.length - 4) : 0
  if (size === 0 || size + 4 > content.length) return undefined
  try {
    const map = JSON.parse(inflateRawSync(content.subarray(-4 - size, -4)).toString())
    return Array.isArray(map.files) ? size : undefined
  } catch {
    return undefined // Some other program made it: it is fetched whole.
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  runMain(async () => {
    const { values } = parseArgs({ options: { notes: { type: 'string' } } })
    const key = process.env.DECKHAND_RELEASE_KEY
    if (!key)
      throw new Refusal(
        'DECKHAND_RELEASE_KEY holds the Ed25519 key in PEM, or names its file. It is never in the repository.',
      )
    if (!values.notes) throw new Refusal('npm run release -- --notes FILE: what is new, as it is shown to users')
    const { version } = JSON.parse(readFileSync(at('package.json'), 'utf8'))
    const pem = existsSync(key) ? readFileSync(key, 'utf8') : key
    const { files, publicKey } = writeRelease({
      folder: at('dist'),
      version,
      notes: readFileSync(values.notes, 'utf8'),
      key: pem,
      now: Date.now(),
    })
    for (const { name } of files) say(`signed dist/${name}`)
    say(`Packages that follow these updates are built with DECKHAND_UPDATE_PUBLIC_KEY=${publicKey}`)
    return 0
  })
}
