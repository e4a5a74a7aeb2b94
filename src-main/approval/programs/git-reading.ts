import { canonicalPath, inWorkspace, isInsideAny } from '../paths/paths'
import { secretReason } from '../paths/secret-paths'
import { activeSetting, entersSubmodules, readGitConfig } from './git-config'
import { type OptionSpec, readOptions } from './options'
import { type SafeContext, secretBelow, type Trouble } from './reading-paths'

/**
 * Belongs into the environment of every command that nobody looked at: no lock files and hooks by the way, no pager, no
 * helper programs, no detour through variables that other tools read.
 */
export const AUTOMATIC_ENV: Readonly<Record<string, string>> = {
  GIT_OPTIONAL_LOCKS: '0',
  GIT_PAGER: 'cat',
  PAGER: 'cat',
  GIT_NO_LAZY_FETCH: '1',
  GIT_TERMINAL_PROMPT: '0',
  GIT_CONFIG_COUNT: '4',
  GIT_CONFIG_KEY_0: 'core.fsmonitor',
  GIT_CONFIG_VALUE_0: 'false',
  GIT_CONFIG_KEY_1: 'core.pager',
  GIT_CONFIG_VALUE_1: 'cat',
  GIT_CONFIG_KEY_2: 'diff.ignoreSubmodules',
  GIT_CONFIG_VALUE_2: 'dirty',
  GIT_CONFIG_KEY_3: 'log.showSignature',
  GIT_CONFIG_VALUE_3: 'false',
  CDPATH: '',
  RIPGREP_CONFIG_PATH: '',
  BASH_ENV: '',
  ENV: '',
}

const SHOWN = `oneline stat[=] shortstat numstat summary name-only name-status patch no-patch raw color[=] no-color graph decorate[=]
  no-decorate pretty[=] format= abbrev-commit no-abbrev-commit abbrev[=] date= relative-date all branches[=] tags[=] remotes[=] max-count=
  skip= since= after= until= before= author= committer= grep= all-match invert-grep regexp-ignore-case extended-regexp
  fixed-strings merges no-merges first-parent reverse follow topo-order date-order author-date-order no-renames
  find-renames[=] find-copies[=] diff-filter= pickaxe-regex pickaxe-all word-diff[=] color-words[=] unified= ignore-all-space ignore-space-change
  ignore-space-at-eol ignore-blank-lines minimal patience histogram diff-algorithm= full-index cached staged merge-base
  exit-code quiet check compact-summary dirstat[=] left-right cherry-pick cherry-mark ancestry-path no-ext-diff no-textconv
  function-context inter-hunk-context= text full-history simplify-by-decoration boundary source no-prefix minimal
  name-only no-walk[=] show-pulls expand-tabs[=] no-expand-tabs no-notes parents children z`
const SHOW: OptionSpec = { short: 'pusn:S:G:L:U:M::C::wbaiEFzcmrtR', long: SHOWN, number: true }

/** Sub-commands that read, with the options that leave it at that. `--output`, `--ext-diff` and the like are not there. */
const READING = new Map<string, OptionSpec & { listing?: boolean; noOperands?: boolean }>(
  Object.entries({
    status: {
      short: 'sbvuzu::',
      long: 'short branch porcelain[=] long verbose untracked-files[=] ignored[=] ahead-behind no-ahead-behind renames no-renames find-renames[=] show-stash null column[=] no-column',
    },
    log: SHOW,
    show: SHOW,
    diff: SHOW,
    shortlog: { short: 'snec', long: 'summary numbered email committer all since= until= no-merges', number: true },
    branch: {
      short: 'avrqi',
      long: 'all remotes verbose list show-current color[=] no-color column[=] no-column sort= contains= no-contains= merged[=] no-merged[=] points-at= format= ignore-case abbrev[=] no-abbrev',
      listing: true,
    },
    tag: {
      short: 'ln::i',
      long: 'list sort= contains= no-contains= merged[=] no-merged[=] points-at= format= column[=] no-column ignore-case',
      listing: true,
    },
    'rev-parse': {
      short: 'q',
      long: 'verify quiet short[=] abbrev-ref[=] symbolic symbolic-full-name show-toplevel show-prefix show-cdup git-dir absolute-git-dir git-common-dir is-inside-work-tree is-inside-git-dir is-bare-repository is-shallow-repository all branches[=] tags[=] remotes[=] show-superproject-working-tree revs-only no-revs flags no-flags default= sq not',
    },
    'rev-list': {
      short: 'n:',
      long: 'count all max-count= since= until= no-merges merges first-parent reverse branches[=] tags[=] remotes[=] left-right author= left-only right-only',
      number: true,
    },
    'ls-files': {
      short: 'cdmostkuvz',
      long: 'cached deleted modified others stage killed unmerged exclude-standard full-name error-unmatch ignored directory no-empty-directory deduplicate eol exclude=',
    },
    'ls-tree': { short: 'drtlz', long: 'name-only name-status full-name full-tree long abbrev[=] object-only' },
    'cat-file': { short: 'tspe' },
    blame: {
      short: 'bcelnstwpL:M::C::f',
      long: 'show-email show-name show-number porcelain line-porcelain date= root since=',
    },
    describe: {
      long: 'all tags contains abbrev= always long match= exclude= dirty[=] exact-match candidates= first-parent',
    },
    'name-rev': { long: 'tags name-only always' },
    'merge-base': { short: 'a', long: 'all octopus is-ancestor fork-point independent' },
    'for-each-ref': { long: 'count= sort= format= contains= merged= no-merged= points-at= ignore-case' },
    'show-ref': { short: 'dqs', long: 'heads tags dereference hash[=] verify quiet abbrev[=] head' },
    reflog: { ...SHOW, noOperands: true },
    'count-objects': { short: 'vH', long: 'verbose human-readable', noOperands: true },
    grep: {
      short: 'aiIwvhHEGFPnlLzocpWqe:A:B:C:m:',
      long: `text ignore-case word-regexp invert-match full-name extended-regexp basic-regexp perl-regexp fixed-strings
        line-number column files-with-matches name-only files-without-match null only-matching count color[=] no-color break
        heading show-function context= after-context= before-context= function-context max-count= all-match quiet cached
        untracked exclude-standard max-depth= threads= and or not`,
      number: true,
    },
    'check-ignore': { short: 'vnq', long: 'verbose non-matching quiet no-index' },
  }),
)
/** Listing sub-commands create or delete something as soon as they get a name without `--list`. */
const LISTS = new Set(['-l', '--list', '--contains', '--no-contains', '--merged', '--no-merged', '--points-at'])

export function gitTrouble(words: readonly string[], context: SafeContext): Trouble {
  if (words[0] === '--no-pager') return gitTrouble(words.slice(1), context)
  if (words[0] === '-C') return elsewhereTrouble(words[1] ?? '', words.slice(2), context)
  const [name = '', ...args] = words
  if (name === 'remote') return remoteTrouble(args) ?? repositoryTrouble(context)
  if (name === 'stash') {
    const reads = (args.length === 1 && args[0] === 'list') || (args[0] === 'show' && showsOnly(args.slice(1)))
    return reads ? repositoryTrouble(context) : 'git stash changes the repository'
  }
  if (name === 'worktree')
    return args.length === 1 && args[0] === 'list' ? repositoryTrouble(context) : 'git worktree changes the repository'
  if (name === 'config') return configTrouble(args) ?? repositoryTrouble(context)
  const spec = READING.get(name)
  if (!spec) return name.startsWith('-') ? `git ${name} may do more than read` : `git ${name} may change the repository`
  const read = readOptions(args, spec)
  if (typeof read === 'string') return `git ${name}: ${read}`
  const { options, operands } = read
  if (spec.noOperands && operands.length > 0) return `git ${name} with an operand may change something`
  if (spec.listing && operands.length > 0 && !options.some((option) => LISTS.has(option.name)))
    return `git ${name} with a name may change the repository`
  // %G verifies signatures, for which git starts another program.
  if (options.some(({ value }) => value !== null && /%G|%\(signature/.test(value)))
    return `git ${name} would check signatures`
  const secret = operands
    .map((operand) => secretReason(operand.slice(operand.indexOf(':') + 1)))
    .find((found) => found !== null)
  const searched = name === 'grep' ? searchTrouble(options, operands, context) : null
  return secret ?? searched ?? operandTrouble(operands, context) ?? repositoryTrouble(context)
}

/** `git -C folder …` is git in that folder. */
function elsewhereTrouble(folder: string, words: readonly string[], context: SafeContext): Trouble {
  const { places, cwds } = context
  const moved = cwds.map((cwd) => (cwd === null ? null : canonicalPath(folder, cwd, places.files)))
  const outside = moved.some((each) => each === null || !isInsideAny(each, places.folders))
  return outside
    ? `git runs in a folder outside the workspace: ${folder}`
    : gitTrouble(words, { ...context, cwds: moved })
}

const showsOnly = (args: readonly string[]): boolean => {
  const read = readOptions(args, SHOW)
  return typeof read !== 'string' && read.operands.every((operand) => /^stash@\{\d+\}$/.test(operand))
}

/** The first operand of a search is a pattern; what it finds may be secret. */
function searchTrouble(
  options: readonly { name: string }[],
  operands: readonly string[],
  context: SafeContext,
): Trouble {
  const [, ...rest] = operands
  const paths = options.some(({ name }) => name === '-e') ? operands : rest
  for (const path of paths.length > 0 ? paths : ['.']) {
    const secret = secretBelow(path, true, context)
    if (secret !== null) return `it would also read ${secret}`
  }
  return null
}

const remoteTrouble = (args: readonly string[]): Trouble =>
  args.length === 0 ||
  (args.length === 1 && /^(?:-v|--verbose)$/.test(args[0] ?? '')) ||
  (args.length === 2 && args[0] === 'get-url')
    ? null
    : 'git remote may change the repository or use the network'

const configTrouble = (args: readonly string[]): Trouble =>
  (args.length === 1 || (args.length === 2 && /^--get(?:-all)?$/.test(args[0] ?? ''))) &&
  /^\w[\w.-]*\.[\w.-]+$/.test(args.at(-1) ?? '') &&
  !/token|password|secret|extraheader/i.test(args.at(-1) ?? '')
    ? null
    : 'git config may change the configuration'

/** Outside a repository `git diff a b` compares any two files. */
function operandTrouble(operands: readonly string[], { cwds, places }: SafeContext): Trouble {
  for (const operand of operands) {
    if (!operand.startsWith('/') && !operand.startsWith('~') && !operand.split(/[/:]/).includes('..')) {
      if (
        !operand.includes('/') &&
        operand !== '' &&
        places.files.lstat(`${cwds[0] ?? ''}/${operand}`)?.kind !== 'symlink'
      )
        continue
    }
    for (const cwd of cwds) {
      const canonical = canonicalPath(operand, cwd ?? '/', places.files)
      if (canonical === null ? operand.includes('..') : !isInsideAny(canonical, places.folders)) {
        if (!/^[^/]*\.\.\.?[^/]*$/.test(operand)) return `it reads outside the workspace: ${operand}`
      } else if (canonical !== null) {
        const secret = secretReason(inWorkspace(canonical, places))
        if (secret !== null) return secret
      }
    }
  }
  return null
}

/** Why the repository itself is not to be trusted with a reading git: its settings may name programs. */
export function repositoryTrouble({ cwds, places }: Pick<SafeContext, 'cwds' | 'places'>): Trouble {
  const { files } = places
  for (const cwd of cwds) {
    if (cwd === null) return 'nobody can tell which repository is meant'
    let folder = cwd
    for (;;) {
      const entry = files.lstat(`${folder}/.git`)
      if (entry !== null) {
        const trouble = checkRepository(folder, entry.kind, places)
        if (trouble !== null) return trouble
        break
      }
      // git also takes a folder that looks like a bare repository for one.
      if (files.lstat(`${folder}/HEAD`) !== null && files.lstat(`${folder}/objects`) !== null)
        return `${folder} looks like a bare repository`
      const slash = folder.lastIndexOf('/')
      if (folder === '/' || slash < 0) break
      folder = slash === 0 ? '/' : folder.slice(0, slash)
    }
  }
  return null
}

function checkRepository(root: string, kind: string, { files, folders }: SafeContext['places']): Trouble {
  if (!isInsideAny(root, folders)) return `the repository reaches beyond the workspace: ${root}`
  let folder = `${root}/.git`
  if (kind === 'file') {
    const link = /^gitdir: (.+)$/.exec((files.readText(folder, 4096) ?? '').trim())?.[1]
    folder = (link && canonicalPath(link, root, files)) ?? ''
  } else if (kind !== 'directory') return 'its .git is neither a folder nor a file'
  const common = files.readText(`${folder}/commondir`, 4096)?.trim()
  const home = common === undefined ? folder : (canonicalPath(common, folder, files) ?? '')
  if (!isInsideAny(folder, folders) || !isInsideAny(home, folders))
    return 'the repository keeps its data outside the workspace'

  for (const file of [`${home}/config`, `${folder}/config.worktree`, `${home}/config.worktree`]) {
    const entry = files.lstat(file)
    if (entry === null) continue
    if (entry.kind !== 'file') return "the repository's configuration is not a plain file"
    const text = files.readText(file, 65_536)
    const entries = text === null || text.length >= 65_536 ? null : readGitConfig(text)
    if (entries === null) return "the repository's configuration cannot be read plainly"
    const active = activeSetting(entries)
    if (active !== null) return `the repository's configuration sets ${active}, which may run a program`
    const hooks = entries.findLast(({ name }) => name === 'core.hookspath')?.value
    if (
      hooks !== undefined &&
      files.lstat(`${hooks.startsWith('/') ? '' : `${root}/`}${hooks}/post-index-change`) !== null
    )
      return 'the repository has a hook that runs on reading'
  }
  if (files.lstat(`${root}/.gitmodules`) !== null) {
    const modules = readGitConfig(files.readText(`${root}/.gitmodules`, 65_536) ?? '[')
    if (modules === null || entersSubmodules(modules)) return 'the repository looks into its submodules'
  }
  return files.lstat(`${home}/hooks/post-index-change`) === null
    ? null
    : 'the repository has a hook that runs on reading'
}
