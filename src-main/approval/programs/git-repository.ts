import { canonicalPath, isInsideAny, type Places } from '../paths/paths'
import type { FileView } from '../types'
import { type Doubt, doubt, first, type Standing } from './facts'
import { activeSetting, entersSubmodules, readGitConfig } from './git-config'

const HOOK = 'the repository has a hook that runs on reading'

/** Why the repository itself is not to be trusted with a reading git: its settings may name programs. */
export function repositoryDoubt({ cwds, places }: Standing): Doubt | null {
  const { files } = places
  for (const cwd of cwds) {
    if (cwd === null) return doubt('unclear', 'it is not clear which repository is meant')
    let folder = cwd
    for (;;) {
      const entry = files.lstat(`${folder}/.git`)
      if (entry !== null) {
        const trouble = repositoryTrouble(folder, entry.kind, places)
        if (trouble !== null) return doubt('project', trouble)
        break
      }
      // git also takes a folder that looks like a bare repository for one.
      if (files.lstat(`${folder}/HEAD`) !== null && files.lstat(`${folder}/objects`) !== null)
        return doubt('project', `${folder} looks like a bare repository`)
      const slash = folder.lastIndexOf('/')
      if (folder === '/' || slash < 0) break
      folder = slash === 0 ? '/' : folder.slice(0, slash)
    }
  }
  return null
}

function repositoryTrouble(root: string, kind: string, { files, folders }: Places): string | null {
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

  const configured = first([`${home}/config`, `${folder}/config.worktree`, `${home}/config.worktree`], (file) =>
    configurationTrouble(file, root, files),
  )
  if (configured !== null) return configured
  if (files.lstat(`${root}/.gitmodules`) !== null) {
    const modules = readGitConfig(files.readText(`${root}/.gitmodules`, 65_536) ?? '[')
    if (modules === null || entersSubmodules(modules)) return 'the repository looks into its submodules'
  }
  return files.lstat(`${home}/hooks/post-index-change`) === null ? null : HOOK
}

function configurationTrouble(file: string, root: string, files: FileView): string | null {
  const entry = files.lstat(file)
  if (entry === null) return null
  if (entry.kind !== 'file') return "the repository's configuration is not a plain file"
  const text = files.readText(file, 65_536)
  const entries = text === null || text.length >= 65_536 ? null : readGitConfig(text)
  if (entries === null) return "the repository's configuration cannot be read plainly"
  const active = activeSetting(entries)
  if (active !== null) return `the repository's configuration sets ${active}, which may run a program`
  const hooks = entries.findLast(({ name }) => name === 'core.hookspath')?.value
  const hook = `${hooks?.startsWith('/') ? '' : `${root}/`}${hooks}/post-index-change`
  return hooks !== undefined && files.lstat(hook) !== null ? HOOK : null
}
