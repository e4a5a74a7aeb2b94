import type { BoundContent } from '../../../src-preload/contract/approval'
import { isInside, type Places, shortPath } from '../paths/paths'
import { fileContent, hashOf, MAX_BYTES } from './bound-files'
import type { ProjectFile } from './facts'

const MAX_FILES = 20
const SHORT_SCRIPTS: ReadonlyMap<string, string> = new Map(
  Object.entries({ t: 'test', tst: 'test', test: 'test', start: 'start', stop: 'stop', restart: 'restart' }),
)

/** The script of package.json that a package manager would run, with the files that it names. */
export function packageScript(args: readonly string[], cwd: string, places: Places): BoundContent[] {
  const [verb, second] = args
  if (verb === undefined || verb.startsWith('-')) return []
  const called = /^(?:run|run-script|rum|urn)$/.test(verb) ? second : (SHORT_SCRIPTS.get(verb) ?? verb)
  const file = packageFile(cwd, places)
  if (called === undefined || file === null) return []
  const scripts = scriptsOf(places.files.readText(file, MAX_BYTES))
  if (!scripts.has(called)) return []
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

/** Every script of the project; `null` if there are none, or something in package.json names another program to run them. */
export function projectScripts(cwd: string, places: Places): ReadonlyMap<string, string> | null {
  const file = packageFile(cwd, places)
  const text = file === null ? null : places.files.readText(file, MAX_BYTES)
  const scripts = scriptsOf(text)
  return scripts.size === 0 || /"packageManager"\s*:\s*"[^"]*:\/\//.test(text ?? '') ? null : scripts
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

/** Settings of a project's .npmrc that do not change which code npm runs or where it writes. */
const INERT_SETTINGS =
  /^(?:registry|@[\w.-]+:registry|\/\/[^\s=]+:(?:_authToken|_auth|always-auth)|save-exact|save-prefix|engine-strict|fund|audit|audit-level|legacy-peer-deps|strict-peer-deps|package-lock|loglevel|progress|omit|include|ignore-scripts|auto-install-peers|prefer-offline|update-notifier|shamefully-hoist|strict-peer-dependencies|node-linker|public-hoist-pattern(?:\[\])?|install-links|fetch-retries|fetch-timeout|provenance|access|tag-version-prefix|lockfile-version|message|workspaces|link-workspace-packages|save-workspace-protocol|resolution-mode|side-effects-cache|prefer-workspace-packages)$/

/** A token in a variable, for a registry that everybody knows. */
const KNOWN_REGISTRY =
  /^\/\/(?:registry\.npmjs\.org|registry\.yarnpkg\.com|npm\.pkg\.github\.com|gitlab\.com|pkgs\.dev\.azure\.com|[\w.-]+\.pkg\.dev|[\w.-]+\.codeartifact\.[\w-]+\.amazonaws\.com)\/[^\s=]*:_auth(?:Token)?$/

export const NPMRC: ProjectFile = {
  name: '.npmrc',
  trouble(text) {
    if (text === null) return 'the .npmrc of the project cannot be read'
    for (const line of text.split('\n').map((each) => each.trim())) {
      if (line === '' || line.startsWith('#') || line.startsWith(';')) continue
      const [key = '', ...value] = line.split('=').map((part) => part.trim())
      if (!INERT_SETTINGS.test(key)) return `the .npmrc of the project sets ${key}`
      if (value.join('=').includes('${') && !KNOWN_REGISTRY.test(key))
        return `the .npmrc of the project puts a variable into ${key}`
    }
    return null
  },
}
