import { createHash } from 'node:crypto'
import type { BoundContent } from '../../../src-preload/contract/approval'
import { canonicalPath, isInside, isInsideAny, type Places, shortPath } from '../paths/paths'
import { isInterpreter, isShell } from '../programs/interpreters'
import { baseName } from '../shell/program-name'

const MAX_BYTES = 1_048_576
/** Of a longer text only the hash is kept, and no difference can be shown later. */
const MAX_KEPT = 32_768
const MAX_FILES = 20

const PACKAGE_RUNNERS = /^(?:npm|pnpm|yarn|bun)$/
const SHORT_SCRIPTS: ReadonlyMap<string, string> = new Map(
  Object.entries({ t: 'test', tst: 'test', test: 'test', start: 'start', stop: 'stop', restart: 'restart' }),
)
const RECIPES: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    make: ['GNUmakefile', 'makefile', 'Makefile'],
    gmake: ['GNUmakefile', 'makefile', 'Makefile'],
    just: ['justfile', 'Justfile', '.justfile'],
    rake: ['Rakefile', 'rakefile'],
  }),
)

/**
 * What a command line leaves to files of the workspace: the script of a package, with the files that it names, or a script
 * that an interpreter is given. A permission for such a command means that content, not whatever will stand there later.
 */
export function boundContent(argv: readonly string[], cwd: string | null, places: Places): BoundContent[] {
  if (cwd === null) return []
  const [program = '', ...args] = argv
  const name = baseName(program)
  if (PACKAGE_RUNNERS.test(name)) return packageScript(name, args, cwd, places)
  const recipes = RECIPES.get(name)
  if (recipes) return recipes.flatMap((file) => fileContent(file, cwd, places)).slice(0, 1)
  if (isShell(name) || isInterpreter(name)) {
    const file = args.find((word) => !word.startsWith('-'))
    return file === undefined ? [] : fileContent(file, cwd, places)
  }
  return program.includes('/') ? fileContent(program, cwd, places) : []
}

/** Its parts in words: `scripts.test`, `scripts/run.mjs`. */
export const boundName = ({ path, script }: BoundContent): string => (script === undefined ? path : `scripts.${script}`)

/** The same things with the same content. */
export const sameContent = (one: readonly BoundContent[], other: readonly BoundContent[]): boolean =>
  JSON.stringify(one.map(({ path, script, hash }) => [path, script, hash])) ===
  JSON.stringify(other.map(({ path, script, hash }) => [path, script, hash]))

function packageScript(name: string, args: readonly string[], cwd: string, places: Places): BoundContent[] {
  const [verb, second] = args
  if (verb === undefined || verb.startsWith('-')) return []
  const called = /^(?:run|run-script|rum|urn)$/.test(verb) ? second : (SHORT_SCRIPTS.get(verb) ?? verb)
  const file = packageFile(cwd, places)
  if (called === undefined || file === null) return []
  const scripts = scriptsOf(places.files.readText(file, MAX_BYTES))
  if (!scripts.has(called) || (name === 'bun' && verb === 'test')) return []
  const found = [`pre${called}`, called, `post${called}`].flatMap((script): BoundContent[] => {
    const text = scripts.get(script)
    return text === undefined ? [] : [{ path: shortPath(file, places), script, hash: hashOf(text), text }]
  })
  const folder = file.slice(0, file.lastIndexOf('/'))
  const files = found
    .flatMap(({ text }) => (text ?? '').split(/[\s"'=;&|()<>]+/))
    .filter((word) => /^[\w@./-]+\.\w+$/.test(word))
    .flatMap((word) => fileContent(word, folder, places))
  return [...found, ...new Map(files.map((each) => [each.path, each])).values()].slice(0, MAX_FILES)
}

/** The nearest package.json, as package managers look for it, but not above the workspace. */
function packageFile(cwd: string, places: Places): string | null {
  for (let folder = cwd; isInside(folder, places.workspace); folder = folder.slice(0, folder.lastIndexOf('/'))) {
    if (places.files.lstat(`${folder}/package.json`)) return `${folder}/package.json`
    if (folder === '' || folder === '/') break
  }
  return null
}

function scriptsOf(text: string | null): ReadonlyMap<string, string> {
  let read: unknown
  try {
    read = JSON.parse(text ?? '{}')
  } catch {
    // No package manager would run anything from it either.
    return new Map()
  }
  const scripts = read !== null && typeof read === 'object' && 'scripts' in read ? read.scripts : null
  return new Map(
    Object.entries(scripts ?? {}).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  )
}

function fileContent(path: string, cwd: string, places: Places): BoundContent[] {
  const canonical = canonicalPath(path, cwd, places.files)
  if (canonical === null || !isInsideAny(canonical, places.folders)) return []
  if (places.files.lstat(canonical)?.kind !== 'file') return []
  const text = places.files.readText(canonical, MAX_BYTES)
  if (text === null) return []
  return [{ path: shortPath(canonical, places), hash: hashOf(text), ...(text.length <= MAX_KEPT && { text }) }]
}

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 32)
