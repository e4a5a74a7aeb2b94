import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { withLock } from './lock.mjs'
import { at, capture, root } from './run.mjs'
import { during, Refusal, runMain, say } from './say.mjs'

const stamp = at('out/built-from')
const sources = [
  'src-main',
  'src-preload',
  'src-renderer',
  'electron.vite.config.ts',
  'packaging/bundled-packages.ts',
  'packaging/chunks.ts',
  'package.json',
  'tsconfig.json',
]

/** Whether `out/` was made from the sources as they are now. */
function isBuilt() {
  try {
    return readFileSync(stamp, 'utf8') === fingerprint(root)
  } catch {
    return false
  }
}

/** Builds the app if its sources changed since the last build. */
export async function ensureBuilt() {
  if (isBuilt()) return
  await withLock(at('node_modules/.cache/build-lock'), async () => {
    if (!isBuilt()) await build()
  })
}

/** Builds the app from nothing, so that nothing of an earlier build is left in it. */
export async function buildAnew() {
  await withLock(at('node_modules/.cache/build-lock'), () => {
    rmSync(at('out'), { recursive: true, force: true })
    return build()
  })
}

/** Names, sizes and times of all sources: contents need not be read to see that one was changed, added or removed. */
export function fingerprint(folder) {
  const hash = createHash('sha256')
  const visit = (path) => {
    const info = statSync(join(folder, path), { throwIfNoEntry: false })
    if (!info) return
    if (!info.isDirectory()) return hash.update(`${path} ${info.size} ${info.mtimeMs}\n`)
    for (const name of readdirSync(join(folder, path)).sort()) {
      if (!/\.test\.tsx?$/.test(name)) visit(`${path}/${name}`)
    }
  }
  for (const source of sources) visit(source)
  return hash.digest('hex')
}

async function build() {
  // Taken before the build: what is edited while it runs counts as changed.
  const made = fingerprint(root)
  const args = [at('node_modules/electron-vite/bin/electron-vite.js'), 'build', '--logLevel', 'warn']
  const result = await during('Building the app', () => capture(process.execPath, args))
  if (result.code !== 0) throw new Refusal(`The build failed.\n${result.output.trim()}`)
  writeFileSync(stamp, made)
  return result.output.trim()
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  runMain(async () => {
    const warnings = await withLock(at('node_modules/.cache/build-lock'), build)
    if (warnings) say(warnings)
    return 0
  })
}
