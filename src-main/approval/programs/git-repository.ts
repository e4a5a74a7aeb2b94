import { canonicalPath, isInsideAny, type Places } from '../paths/paths'
import type { FileView } from '../types'
import { type Doubt, doubt, first, type Standing } from './facts'
import { activeSetting, type ConfigEntry, entersSubmodules, readGitConfig } from './git-config'

const HOOK = 'the repository has a hook that runs on reading'
const OUTSIDE = 'the repository keeps its data outside the workspace'
const MAX_SUBMODULES = 50
const MAX_NESTING = 4

/** Where git finds a repository: the folder with its files, and where it keeps its own. */
export interface Repository {
  root: string
  /** What belongs to this work tree alone: HEAD and the index. */
  folder: string
  /** What all work trees share: settings, objects and names. */
  home: string
}

/** Why it cannot be told which repository git would use, or why it is not to be used. */
interface Flaw {
  flaw: string
  /** What is there is none, so that git would look further up. */
  none?: true
}

/** Why the repository itself is not to be trusted with a reading git: its settings may name programs. */
export function repositoryDoubt({ cwds, places }: Standing): Doubt | null {
  for (const cwd of cwds) {
    if (cwd === null) return doubt('unclear', 'it is not clear which repository is meant')
    const found = findRepository(cwd, places)
    if (found && 'flaw' in found) return doubt('project', found.flaw)
    const trouble = found && repositoryTrouble(found, places)
    if (trouble) return doubt('project', trouble)
  }
  return null
}

/** The repository that git would use in a folder. */
export function findRepository(cwd: string, places: Places): Repository | Flaw | null {
  const { files } = places
  for (let folder = cwd; ; ) {
    const entry = files.lstat(`${folder}/.git`)
    if (entry !== null) return openRepository(folder, entry.kind, places)
    // git also takes a folder that looks like a bare repository for one; its objects may lie elsewhere.
    const looksBare = ['objects', 'commondir', 'refs'].some((name) => files.lstat(`${folder}/${name}`) !== null)
    if (looksBare && files.lstat(`${folder}/HEAD`) !== null) return { flaw: `${folder} looks like a bare repository` }
    const slash = folder.lastIndexOf('/')
    if (folder === '/' || slash < 0) return null
    folder = slash === 0 ? '/' : folder.slice(0, slash)
  }
}

function openRepository(root: string, kind: string, { files, folders }: Places): Repository | Flaw {
  if (!isInsideAny(root, folders)) return { flaw: `the repository reaches beyond the workspace: ${root}` }
  let folder = `${root}/.git`
  if (kind === 'file') {
    const link = linkIn(files.readText(folder, 4096), 'gitdir: ')
    folder = (link && canonicalPath(link, root, files)) ?? ''
  } else if (kind !== 'directory') return { flaw: 'its .git is neither a folder nor a file' }
  const common = files.readText(`${folder}/commondir`, 4096)
  const shared = common === null ? null : linkIn(common, '')
  const home = common === null ? folder : ((shared && canonicalPath(shared, folder, files)) ?? '')
  if (!isInsideAny(folder, folders) || !isInsideAny(home, folders)) return { flaw: OUTSIDE }
  // git goes on above what is not complete.
  const whole = [`${folder}/HEAD`, `${home}/objects`, `${home}/refs`].every((path) => files.lstat(path) !== null)
  const flaw = `${root}/.git is no complete repository, so that git may take another one`
  return whole ? { root, folder, home } : { flaw, none: true }
}

/** The path in a file that only names one. git takes everything up to the end of the line, blanks too. */
function linkIn(text: string | null, prefix: string): string | null {
  if (text === null || !text.startsWith(prefix)) return null
  const path = text.slice(prefix.length).replace(/[\r\n]+$/, '')
  return path === '' || path !== path.trim() || /[\r\n]/.test(path) ? null : path
}

function repositoryTrouble(repository: Repository, places: Places, nesting = 0): string | null {
  const { root, folder, home } = repository
  const { files } = places
  const configured = first([`${home}/config`, `${folder}/config.worktree`, `${home}/config.worktree`], (file) =>
    configurationTrouble(file, repository, files),
  )
  if (configured !== null) return configured
  if (files.lstat(`${root}/.gitmodules`) !== null) {
    const modules = readGitConfig(files.readText(`${root}/.gitmodules`, 65_536) ?? '[')
    if (modules === null || entersSubmodules(modules)) return 'the repository looks into its submodules'
  }
  if (files.lstat(`${home}/hooks/post-index-change`) !== null) return HOOK
  return objectsTrouble(repository, places) ?? submodulesTrouble(repository, places, nesting)
}

/** Objects and names that lie in another repository would show what is in that one. */
function objectsTrouble({ folder, home }: Repository, { files, folders }: Places): string | null {
  const objects = `${home}/objects`
  const own = [`${folder}/HEAD`, `${folder}/index`, `${home}/refs`, `${home}/packed-refs`, `${home}/info`, objects]
  const inner = [objects, `${objects}/pack`, `${objects}/info`, `${home}/info`].flatMap((place) =>
    (files.entries?.(place) ?? []).filter(({ kind }) => kind === 'symlink').map(({ name }) => `${place}/${name}`),
  )
  const links = [...own.filter((path) => files.lstat(path)?.kind === 'symlink'), ...inner]
  const lead = (path: string, from: string): boolean => !isInsideAny(canonicalPath(path, from, files) ?? '', folders)
  if (links.some((path) => lead(path, '/'))) return OUTSIDE
  const alternates = files.readText(`${objects}/info/alternates`, 65_536)
  return alternates?.split('\n').some((line) => line !== '' && !line.startsWith('#') && lead(line, objects))
    ? OUTSIDE
    : null
}

/** Some commands go into submodules, also into those that only the index knows; there their own settings count. */
function submodulesTrouble({ root, folder }: Repository, places: Places, nesting: number): string | null {
  const submodules = places.files.gitIndex?.(`${folder}/index`)?.submodules ?? []
  if (submodules.length > MAX_SUBMODULES || nesting > MAX_NESTING) return 'the repository has too many submodules'
  return first(submodules, (path) => {
    const entry = places.files.lstat(`${root}/${path}/.git`)
    if (entry === null) return null
    const found = openRepository(`${root}/${path}`, entry.kind, places)
    return 'flaw' in found ? found.flaw : repositoryTrouble(found, places, nesting + 1)
  })
}

function configurationTrouble(file: string, repository: Repository, files: FileView): string | null {
  const entry = files.lstat(file)
  if (entry === null) return null
  if (entry.kind !== 'file') return "the repository's configuration is not a plain file"
  const text = files.readText(file, 65_536)
  const entries = text === null || text.length >= 65_536 ? null : readGitConfig(text)
  if (entries === null) return "the repository's configuration cannot be read plainly"
  const active = activeSetting(entries.filter((each) => !isOwnWorkTree(each, repository, files)))
  if (active !== null) return `the repository's configuration sets ${active}, which may run a program`
  const hooks = entries.findLast(({ name }) => name === 'core.hookspath')?.value
  const hook = `${hooks?.startsWith('/') ? '' : `${repository.root}/`}${hooks}/post-index-change`
  if (hooks !== undefined && files.lstat(hook) !== null) return HOOK
  // git prints lines that are no commits, whatever file they stand in.
  const ignored = entries.some(({ name }) => name === 'blame.ignorerevsfile')
  return ignored && files.lstat(`${repository.root}/.git-blame-ignore-revs`)?.kind === 'symlink'
    ? '.git-blame-ignore-revs is a link'
    : null
}

/** Every submodule says where its files are. */
const isOwnWorkTree = ({ name, value }: ConfigEntry, { root, home }: Repository, files: FileView): boolean =>
  name === 'core.worktree' && canonicalPath(value, home, files) === root
