import { canonicalPath, isInside, isInsideAny } from '../paths/paths'
import { secretReason } from '../paths/secret-paths'
import { type Doubt, doubt, first, type ReadingContext } from './facts'
import { findRepository } from './git-repository'
import { isFolder, pathDoubt, secretBelow } from './reading-paths'

interface GivenOption {
  name: string
  value: string | null
}

/** They make `git log` print what changed, not only that something did. */
const PRINTS_CHANGES = /^(?:-[pucmLUW]|--(?:patch|unified|word-diff|color-words|function-context|check|text))$/
/** With one of these alone, `git show` and `git diff` print names and numbers. */
const PRINTS_NAMES =
  /^(?:-s|--(?:no-patch|stat|shortstat|numstat|summary|name-only|name-status|raw|dirstat|compact-summary|quiet))$/
const FINDS_NAMES = /^(?:-[lLcq]|--(?:files-with-matches|name-only|files-without-match|count|quiet))$/

/** Whether a reading git would print what is in a file that looks secret. */
export function secretContentDoubt(
  verb: string,
  options: readonly GivenOption[],
  operands: readonly string[],
  context: ReadingContext,
): Doubt | null {
  const named = [...operands, ...options.flatMap(({ name, value }) => (name === '-L' && value !== null ? [value] : []))]
  // `HEAD:.env`, `:0:.env` and `1,5:.env`: what follows any of the colons may be the file.
  const secret = first(named, (word) => first(suffixes(word), secretReason))
  if (secret !== null) return doubt('secret', secret)
  if (!printsContent(verb, options)) return null
  const paths = verb === 'grep' && !options.some(({ name }) => name === '-e') ? operands.slice(1) : operands
  if (verb === 'grep' && options.some(({ name }) => name === '--untracked')) {
    const found = secretBelow(paths, true, context)
    if (found !== null) return found
  }
  return first(context.cwds, (cwd) => (cwd === null ? null : trackedSecret(verb, paths, cwd, context)))
}

/** Whether the repository holds any file that looks secret. */
export const anySecretDoubt = (context: ReadingContext): Doubt | null =>
  first(context.cwds, (cwd) => (cwd === null ? null : trackedSecret('show', [], cwd, context)))

function* suffixes(word: string): Generator<string> {
  yield word
  for (let at = word.indexOf(':'); at >= 0; at = word.indexOf(':', at + 1)) yield word.slice(at + 1)
}

function printsContent(verb: string, options: readonly GivenOption[]): boolean {
  const changes = options.some(({ name }) => PRINTS_CHANGES.test(name))
  switch (verb) {
    case 'log':
    case 'reflog':
      return changes
    case 'show':
    case 'diff':
    case 'stash show':
      return changes || !options.some(({ name }) => PRINTS_NAMES.test(name))
    case 'status':
      return options.some(({ name }) => name === '-v' || name === '--verbose')
    case 'grep':
      return !options.some(({ name }) => FINDS_NAMES.test(name))
    default:
      return verb === 'cat-file'
  }
}

function trackedSecret(verb: string, operands: readonly string[], cwd: string, context: ReadingContext): Doubt | null {
  const { places } = context
  const found = findRepository(cwd, places)
  if (found && 'flaw' in found) return null // What is wrong with it is said elsewhere.
  if (found === null && verb === 'diff') return comparedDoubt(operands, cwd, context)
  const index = found && places.files.gitIndex?.(`${found.folder}/index`)
  if (!found || !index) return verb === 'grep' ? secretBelow([], true, context) : null
  const paths = operands.map((operand) => plainPath(operand, cwd, context))
  const limits = paths.filter((path) => path !== null)
  // Any other word may be a pattern of paths, or leave some out.
  const limited = limits.length > 0 && operands.every((word, at) => paths[at] !== null || isRevision(word))
  const shown = index.secrets.find(({ path, id }) => {
    if (operands.some((word) => /^[\da-f]{4,}$/i.test(word) && id.startsWith(word.toLowerCase()))) return true
    if (verb === 'cat-file') return operands.some((word) => /^[\da-f]{4,64}$/i.test(word))
    return !limited || limits.some((limit) => isInside(`${found.root}/${path}`, limit))
  })
  if (shown) return doubt('secret', `it would also show ${shown.path}`)
  return index.incomplete ? doubt('unclear', 'it is not clear which files the repository holds') : null
}

/** An operand that is a file or folder of the workspace. */
function plainPath(operand: string, cwd: string, { places }: ReadingContext): string | null {
  if (operand === '' || /^:|[*?[\\]/.test(operand)) return null
  const canonical = canonicalPath(operand, cwd, places.files)
  const there = canonical !== null && places.files.lstat(canonical) !== null
  return there && isInsideAny(canonical, places.folders) ? canonical : null
}

const isRevision = (word: string): boolean => /^(?:HEAD|@|[\w./-]+)(?:[~^@{}\d.]*[\w./-]*)*$/.test(word)

/** Outside a repository `git diff` compares any two files that are there, and in folders everything below them. */
function comparedDoubt(operands: readonly string[], cwd: string, context: ReadingContext): Doubt | null {
  const { files } = context.places
  const missing = operands.some((word) => files.lstat(word.startsWith('/') ? word : `${cwd}/${word}`) === null)
  if (missing) return null
  return first(
    operands,
    (operand) =>
      pathDoubt(operand, context) ??
      (isFolder(operand, context) ? doubt('unclear', `${operand} is a folder, and all of it would be shown`) : null),
  )
}
