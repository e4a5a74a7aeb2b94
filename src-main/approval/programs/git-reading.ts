import { canonicalPath, inWorkspace, isInsideAny } from '../paths/paths'
import { secretReason } from '../paths/secret-paths'
import { type Doubt, doubt, type ReadingContext } from './facts'
import { repositoryDoubt } from './git-repository'
import { anySecretDoubt, secretContentDoubt } from './git-secrets'
import { type OptionSpec, readOptions } from './options'

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

/** They print names, numbers and what they did, but no files. */
const QUIET_VERBS =
  /^(?:status|branch|tag|rev-parse|rev-list|ls-files|ls-tree|describe|name-rev|merge-base|for-each-ref|show-ref|count-objects|check-ignore|shortlog|remote|worktree|config|add|commit|switch|checkout|restore|reset|merge|rebase|pull|push|fetch|clone|init|mv|rm|clean|gc|submodule|notes|cherry-pick|revert|bisect|version|help|)$/

const isQuiet = (name: string, args: readonly string[]): boolean =>
  (name === 'stash' ? args[0] !== 'show' : QUIET_VERBS.test(name)) &&
  !args.some((word) => /^(?:-[a-z]*[pv][a-z]*|--patch|--verbose)$/.test(word))

/** Whether an invocation only reads the repository, and whether the repository leaves it at that. */
export function gitReading(words: readonly string[], context: ReadingContext): Doubt | null {
  if (words[0] === '--no-pager') return gitReading(words.slice(1), context)
  if (words[0] === '-C') return elsewhereDoubt(words[1] ?? '', words.slice(2), context)
  const [name = '', ...args] = words
  const found = verbDoubt(name, args, context) ?? repositoryDoubt(context)
  // What is not understood may print every file, also from where no cage hides it: the repository's own objects.
  return (found && found.kind !== 'secret' && !isQuiet(name, args) ? anySecretDoubt(context) : null) ?? found
}

function verbDoubt(name: string, args: readonly string[], context: ReadingContext): Doubt | null {
  switch (name) {
    case 'remote':
      return remoteDoubt(args)
    case 'stash':
      return args.length === 1 && args[0] === 'list' ? null : stashDoubt(args, context)
    case 'worktree':
      return args.length === 1 && args[0] === 'list' ? null : doubt('program', 'git worktree changes the repository')
    case 'config':
      return configDoubt(args)
    default:
      return readingDoubt(name, args, context)
  }
}

function readingDoubt(name: string, args: readonly string[], context: ReadingContext): Doubt | null {
  const spec = READING.get(name)
  if (!spec)
    return doubt(
      'program',
      name.startsWith('-') ? `git ${name} may do more than read` : `git ${name} may change the repository`,
    )
  const read = readOptions(args, spec)
  if (typeof read === 'string') return doubt('program', `git ${name}: ${read}`)
  const { options, operands } = read
  if (spec.noOperands && operands.length > 0)
    return doubt('program', `git ${name} with an operand may change something`)
  if (spec.listing && operands.length > 0 && !options.some((option) => LISTS.has(option.name)))
    return doubt('program', `git ${name} with a name may change the repository`)
  // %G verifies signatures, for which git starts another program.
  if (options.some(({ value }) => value !== null && /%G|%\(signature/.test(value)))
    return doubt('program', `git ${name} would check signatures`)
  return secretContentDoubt(name, options, operands, context) ?? operandDoubt(operands, context)
}

/** `git -C folder …` is git in that folder. */
function elsewhereDoubt(folder: string, words: readonly string[], context: ReadingContext): Doubt | null {
  const { places, cwds } = context
  const moved = cwds.map((cwd) => (cwd === null ? null : canonicalPath(folder, cwd, places.files)))
  const outside = moved.some((each) => each === null || !isInsideAny(each, places.folders))
  return outside
    ? doubt('outside', `git runs in a folder outside the workspace: ${folder}`)
    : gitReading(words, { ...context, cwds: moved })
}

function stashDoubt([verb, ...args]: readonly string[], context: ReadingContext): Doubt | null {
  const read = readOptions(args, SHOW)
  const shows =
    verb === 'show' && typeof read !== 'string' && read.operands.every((operand) => /^stash@\{\d+\}$/.test(operand))
  return shows
    ? secretContentDoubt('stash show', read.options, [], context)
    : doubt('program', 'git stash changes the repository')
}

const remoteDoubt = (args: readonly string[]): Doubt | null =>
  args.length === 0 ||
  (args.length === 1 && /^(?:-v|--verbose)$/.test(args[0] ?? '')) ||
  (args.length === 2 && args[0] === 'get-url')
    ? null
    : doubt('program', 'git remote may change the repository or use the network')

const configDoubt = (args: readonly string[]): Doubt | null =>
  (args.length === 1 || (args.length === 2 && /^--get(?:-all)?$/.test(args[0] ?? ''))) &&
  /^\w[\w.-]*\.[\w.-]+$/.test(args.at(-1) ?? '') &&
  !/token|password|secret|extraheader/i.test(args.at(-1) ?? '')
    ? null
    : doubt('program', 'git config may change the configuration')

/** Outside a repository `git diff a b` compares any two files. */
function operandDoubt(operands: readonly string[], { cwds, places }: ReadingContext): Doubt | null {
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
        // `a..b` is a range of commits, `..` the folder above.
        if (/^\.*$/.test(operand) || !/^[^/]*\.\.\.?[^/]*$/.test(operand))
          return doubt('outside', `it reads outside the workspace: ${operand}`)
      } else if (canonical !== null) {
        const secret = secretReason(inWorkspace(canonical, places))
        if (secret !== null) return doubt('secret', secret)
      }
    }
  }
  return null
}
