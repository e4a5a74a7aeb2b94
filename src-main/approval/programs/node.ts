import { isInsideAny } from '../paths/paths'
import { readOptions } from './options'
import type { SafeContext, Trouble } from './reading-paths'

/** Settings of a project's .npmrc that do not change which code npm runs or where it writes. */
const INERT_NPMRC =
  /^(?:registry|@[\w.-]+:registry|\/\/[^\s=]+:(?:_authToken|_auth|always-auth)|save-exact|save-prefix|engine-strict|fund|audit|audit-level|legacy-peer-deps|strict-peer-deps|package-lock|loglevel|progress|omit|include|ignore-scripts|auto-install-peers|prefer-offline|update-notifier|shamefully-hoist|strict-peer-dependencies|node-linker|public-hoist-pattern(?:\[\])?|install-links|fetch-retries|fetch-timeout|provenance|access|tag-version-prefix|lockfile-version|message|workspaces|link-workspace-packages|save-workspace-protocol|resolution-mode|side-effects-cache|prefer-workspace-packages)$/

/** Only the dependency tree, as it lies on disk. */
export function npmTrouble(words: readonly string[], context: SafeContext): Trouble {
  const [name, ...args] = words
  if (name !== 'ls' && name !== 'list') return `npm ${name ?? ''} runs scripts of the project`.replace('  ', ' ')
  const read = readOptions(args, { short: 'alp', long: 'all long parseable json depth= omit= include= prod dev' })
  if (typeof read === 'string') return `npm ${name}: ${read}`
  if (read.operands.some((operand) => !/^(?:@[\w.-]+\/)?[\w.-]+(?:@[\w.^~-]+)?$/.test(operand)))
    return `npm ${name} has an unusual operand`
  return versionTrouble('npm', context)
}

const MANAGED = /\/(?:shims|\.volta|\.mise|\.proto)\//
const VERSION_FILES = [
  '.python-version',
  '.ruby-version',
  '.node-version',
  '.nvmrc',
  '.java-version',
  '.tool-versions',
  '.mise.toml',
  'mise.toml',
  '.prototools',
]
const TOOLCHAIN_FILES = ['rust-toolchain', 'rust-toolchain.toml']

/** A version manager's stand-in for a program looks at files of the project to find out what to start; npm has its own. */
export function versionTrouble(name: string, { places, cwds }: SafeContext): Trouble {
  const { files, folders } = places
  const managed = MANAGED.test(files.which(name) ?? '')
  const looked = [
    ...(managed ? VERSION_FILES : []),
    ...(/^(?:cargo|rustc)$/.test(name) ? TOOLCHAIN_FILES : []),
    ...(name === 'npm' ? ['.npmrc'] : []),
  ]
  for (const cwd of cwds) {
    if (cwd === null) return 'nobody can tell which folder it would run in'
    // Above the workspace the files are the user's own.
    for (
      let folder = cwd;
      looked.length > 0 && isInsideAny(folder, folders);
      folder = folder.slice(0, folder.lastIndexOf('/'))
    ) {
      for (const file of looked) {
        if (files.lstat(`${folder}/${file}`) === null) continue
        const trouble =
          file === '.npmrc'
            ? npmrcTrouble(files.readText(`${folder}/${file}`, 16_384))
            : `${file} of the project may name another program`
        if (trouble !== null) return trouble
      }
      if (folder === '' || folder === '/') break
    }
  }
  return null
}

function npmrcTrouble(text: string | null): Trouble {
  if (text === null) return 'the .npmrc of the project cannot be read'
  for (const line of text.split('\n').map((each) => each.trim())) {
    if (line === '' || line.startsWith('#') || line.startsWith(';')) continue
    const key = line.split('=')[0]?.trim() ?? ''
    if (!INERT_NPMRC.test(key)) return `the .npmrc of the project sets ${key}`
  }
  return null
}
