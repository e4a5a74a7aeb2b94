import type { Danger } from '../finding'
import { canonicalPath } from '../paths/paths'
import type { Field } from '../shell/field'
import { type Carried, joined, optionTexts, plain, scriptOptions } from './carried'
import { PUBLISH, READS_PASSWORD } from './dangers'
import type { Family, Standing } from './facts'
import { activeSetting, readGitConfig } from './git-config'
import { GIT_PROTECTION, gitEnvironment, gitReadingEnvironment } from './git-environment'
import { lossDanger } from './git-losses'
import { gitReading } from './git-reading'
import { repositoryDoubt } from './git-repository'

const COMMIT_HOOKS = [
  'pre-commit',
  'prepare-commit-msg',
  'commit-msg',
  'post-commit',
  'post-rewrite',
  'reference-transaction',
  'pre-auto-gc',
  'post-index-change',
]

/** Git, and the programs of the places where repositories are kept. */
export const GIT: Family = {
  git: {
    versionWords: ['--version', 'version'],
    reads: gitReading,
    folder: repositoryDoubt,
    opens: 'none',
    danger: gitDanger,
    carries: gitCommands,
    connects: /^(?:clone|fetch|pull|push|ls-remote|submodule|remote)$/,
    foreignText: printsForeignCommits,
    output: { words: () => [plain('unknown/file')] },
    repositoryVerbs:
      /^(?:add|am|apply|bisect|branch|checkout|cherry-pick|clean|commit|config|gc|init|merge|mv|notes|rebase|reset|restore|revert|rm|stash|submodule|switch|tag|worktree)$/,
    hasVerbs: true,
    exactRules: true,
    families: {
      commit: {
        words: '`git commit` with a message',
        verb: /^commit$/,
        options: { short: 'aqsm:', long: 'all quiet signoff message= allow-empty' },
        // Otherwise it opens an editor.
        needs: ['-m', '--message'],
        operands: 'files of the workspace',
        hooks: COMMIT_HOOKS,
      },
      add: {
        words: '`git add` of files',
        verb: /^add$/,
        options: { short: 'AuvN', long: 'all update verbose intent-to-add' },
        operands: 'files of the workspace',
        hooks: ['post-index-change'],
      },
    },
    protectiveEnvironment: gitEnvironment(GIT_PROTECTION),
    quietEnvironment: gitReadingEnvironment,
  },
  gh: {
    versionWords: ['--version'],
    danger: forgeDanger,
    connects: /^.+$/,
    foreignText: 'when it connects',
    hasVerbs: true,
    exactRules: true,
  },
  hub: { foreignText: 'when it connects', exactRules: true },
  'glab tea': { foreignText: 'when it connects' },
}

/** Programs that options, settings and sub-commands name. */
function gitCommands(args: readonly Field[]): Carried[] {
  const words = args.map((field) => field.text)
  const carried: Carried[] = optionTexts(
    args,
    /^(?:alias\.[^=]+=!|core\.(?:fsmonitor|sshCommand|pager|editor|askPass)=|(?:--)?(?:upload-pack|receive-pack|exec)=)(.+)$/is,
  )
  const run = words.findIndex((word) => word === 'run' || word === 'foreach')
  if (run > 0 && /^(?:bisect|submodule)$/.test(words[run - 1] ?? ''))
    carried.push(
      run + 2 === args.length
        ? { kind: 'script', field: joined(args.slice(run + 1)) }
        : { kind: 'argv', fields: args.slice(run + 1) },
    )
  const options = ['-x', '--exec', '--tree-filter', '--index-filter', '--msg-filter', '--env-filter', '--upload-pack']
  return [...carried, ...scriptOptions(args, options)]
}

/** The verb of a git command, what follows it, and where it works. */
export function gitVerb(
  words: readonly string[],
  standing: Standing,
): { verb: string | undefined; rest: readonly string[]; standing: Standing } {
  let index = 0
  let { cwds } = standing
  while (index < words.length && (words[index] ?? '').startsWith('-')) {
    if (words[index] === '-C') cwds = cwds.map((cwd) => movedTo(words[index + 1] ?? '', cwd, standing))
    index += /^(?:-C|-c|--git-dir|--work-tree|--namespace|--exec-path)$/.test(words[index] ?? '') ? 2 : 1
  }
  return { verb: words[index], rest: words.slice(index + 1), standing: { ...standing, cwds } }
}

function gitDanger(_args: readonly Field[], words: readonly string[], at: Standing): Danger | null {
  const { verb, rest, standing } = gitVerb(words, at)
  switch (verb) {
    case 'push':
      return forcesPush(rest)
        ? { word: 'push', reason: 'overwrites or deletes what others have in the remote repository' }
        : null
    case 'credential':
      return READS_PASSWORD
    case 'config':
      return configDanger(rest)
    default:
      return historyDanger(verb, rest) ?? lossDanger(verb, rest, standing)
  }
}

const movedTo = (folder: string, cwd: string | null, { places }: Standing): string | null =>
  cwd === null ? null : canonicalPath(folder, cwd, places.files)

const forcesPush = (words: readonly string[]): boolean =>
  words.some(
    (word) =>
      /^(?:-[a-z]*[fd][a-z]*|--force.*|--forc|--for|--mirror|--delete|--del.*|--prune)$/.test(word) ||
      /^\+|^:[^/]/.test(word),
  )

function configDanger(rest: readonly string[]): Danger | null {
  const keys = rest.filter((word) => !word.startsWith('-'))
  const [key, value] = keys
  const reading =
    rest.some((word) => /^(?:--get.*|--list|-l|get|list)$/.test(word)) ||
    (keys.length < 2 && !rest.includes('--edit') && !rest.includes('-e'))
  if (reading) return null
  const entries =
    key !== undefined && value !== undefined
      ? readGitConfig(`[${key.split('.')[0]}]\n${key.split('.').at(-1)} = x`)
      : null
  const runs =
    entries === null ||
    activeSetting([{ name: key?.toLowerCase() ?? '', value: value ?? '' }]) !== null ||
    /hookspath/i.test(key ?? '')
  return runs ? { word: 'config', reason: `sets ${key ?? 'the configuration'}, which may run a program` } : null
}

/** History that does not come back. */
function historyDanger(verb: string | undefined, rest: readonly string[]): Danger | null {
  if (verb === 'filter-branch' || verb === 'filter-repo')
    return { word: 'delete', reason: 'rewrites the history of the repository' }
  const expires = verb === 'reflog' && /^(?:expire|delete)$/.test(rest[0] ?? '')
  const removes = verb === 'update-ref' && rest.includes('-d')
  return expires || removes ? { word: 'delete', reason: 'deletes the history of the repository' } : null
}

const PRINTS = /\s(?:log|show|diff|shortlog|blame|grep|cherry|range-diff|format-patch|whatchanged|cat-file|archive)\s/
/** Branches as others have pushed them, under the names that nearly everybody gives to where they come from. */
const REMOTE_BRANCH =
  /(?:^|[\s.^'"])(?:remotes\/)?(?:origin|upstream|fork|mirror)(?:\/|\s|$)|refs\/remotes\/|refs\/pull\/|FETCH_HEAD|@\{(?:u|upstream)\}|\s--(?:all|remotes)\b/i
/** `origin/main..HEAD`: commits that only this repository has, which are the user's own. */
const OWN_SIDE = /\s\S+?\.\.(?:HEAD)?(?=\s|$)/g

function printsForeignCommits(line: string): boolean {
  return PRINTS.test(line) && REMOTE_BRANCH.test(line.replace(OWN_SIDE, ''))
}

function forgeDanger(_args: readonly Field[], words: readonly string[]): Danger | null {
  const uses = /^(?:release create|repo delete|repo edit|secret set|auth token|release delete|gist create)$/
  if (!uses.test(words.slice(0, 2).join(' '))) return null
  return words[1] === 'token' ? { word: 'secret', reason: 'prints a token' } : PUBLISH
}
