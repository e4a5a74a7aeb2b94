import type { SubCommand } from '../../src-preload/contract/approval'
import { changeTrouble } from './checks/edits'
import { sentence } from './checks/wording'
import { type Finding, modeVerdict, worse } from './finding'
import {
  canonicalPath,
  expandTilde,
  inWorkspace,
  isInsideAny,
  lexicalPath,
  type Places,
  shortPath,
} from './paths/paths'
import { protectedReason } from './paths/protected-paths'
import { secretReason } from './paths/secret-paths'
import { vitalPath } from './paths/vital-paths'
import { type RuleContext, rulingOn } from './rules/rules'
import type { PathAccess, RuleTarget } from './types'

/** Files through which a process shows its memory, its environment or another way to the root of the file system. */
const PROCESS_FILES = /^\/proc\/(?:self|thread-self|\d+|[^/]*\*[^/]*)\/|^\/proc\/k(?:core|msg|allsyms)$/
const WINDOWS_NAMES = /^(?:con|prn|aux|nul|com\d|lpt\d|conin\$|conout\$)(?:\..*)?$/i

interface PathReading {
  finding: Finding
  target: RuleTarget | null
}

/** How far the touching of one path goes. */
export function readPath({ path, access }: PathAccess, cwd: string, places: Places): PathReading {
  const refusal = refused(path, access, cwd, places)
  if (refusal !== null) return { finding: { level: 'deny', reason: refusal }, target: null }
  const expanded = expandTilde(path, places.files.home)
  const canonical = expanded === null ? null : canonicalPath(expanded, cwd, places.files)
  if (canonical === null)
    return { finding: { level: 'ask', reason: `It is not clear where ${path} leads` }, target: null }
  const kind = places.files.lstat(canonical)?.kind
  if (kind !== undefined && kind !== 'file' && kind !== 'directory')
    return { finding: { level: 'deny', reason: `${path} is not a plain file` }, target: null }
  if (access === 'write' && kind === 'directory')
    return { finding: { level: 'deny', reason: `${path} is a folder` }, target: null }
  if (access === 'delete') return readDeletion(expanded ?? path, canonical, cwd, places)
  const finding = access === 'read' ? readFinding(path, canonical, places) : changeFinding(canonical, access, places)
  return { finding, target: { kind: 'path', path: canonical, access } }
}

/** A link is deleted where it lies, wherever it leads to; still, what it leads to is looked at as well. */
function readDeletion(path: string, canonical: string, cwd: string, places: Places): PathReading {
  const written = lexicalPath(path, cwd)
  const folder = canonicalPath(written.slice(0, written.lastIndexOf('/')) || '/', '/', places.files)
  const link = places.files.lstat(written)?.kind === 'symlink' && folder !== null
  const entry = link ? `${folder === '/' ? '' : folder}/${written.slice(written.lastIndexOf('/') + 1)}` : canonical
  const finding = changeFinding(canonical, 'delete', places)
  const own = link ? worse(changeFinding(entry, 'delete', places, true), finding) : finding
  return { finding: own, target: { kind: 'path', path: entry, access: 'delete' } }
}

/** A row of the card for each of several files, with the verdict that it would get alone. */
export function pathRows(paths: readonly (PathAccess & PathReading)[], context: RuleContext): SubCommand[] {
  return paths.map(({ path, finding, target }) => {
    const ruling = target && finding.level !== 'danger' ? rulingOn(target, context) : null
    return {
      text: target?.kind === 'path' ? shortPath(target.path, context.places) : path,
      verdict: ruling?.verdict ?? modeVerdict(finding.level, context.policy.mode),
      reason: ruling?.sentence ?? finding.reason,
      ...(finding.level === 'danger' && { danger: true }),
    }
  })
}

function refused(
  path: string,
  access: PathAccess['access'],
  cwd: string,
  { files, own, readable, workspace }: Places,
): string | null {
  if (path === '') return 'There is no path'
  if (path.includes('\0')) return 'The path contains a NUL character'
  if (files.os === 'windows' && windowsTrouble(path, workspace)) return `${path} is not an ordinary Windows path`
  const written = lexicalPath(expandTilde(path, files.home) ?? path, cwd)
  const canonical = canonicalPath(expandTilde(path, files.home) ?? path, cwd, files) ?? written
  const odd = [path, written, canonical].some((each) => PROCESS_FILES.test(each))
  if (odd) return `${path} belongs to a running process`
  if (/^\/dev\/(?!null$|shm\/)/.test(written) || /^\/dev\/(?!null$|shm\/)/.test(canonical)) return `${path} is a device`
  const open = access === 'read' && (isInsideAny(canonical, readable) || !isPrivate(canonical, own))
  return !open && isInsideAny(canonical, own) ? `${path} belongs to Deckhand itself` : null
}

/** The database, the settings and the keys, which lie in the data folder itself; agents' files and skills lie below it. */
const isPrivate = (canonical: string, own: readonly string[]): boolean =>
  own.some((folder) => canonical === folder || canonical.slice(0, canonical.lastIndexOf('/')) === folder)

/** Device names, streams, UNC and verbatim paths, names that Windows shortens, and ways out by a backslash or another drive. */
function windowsTrouble(path: string, workspace: string): boolean {
  if (/^[\\/]{2}/.test(path) || /(?:^|[\\/])\.\.(?:[\\/]|$)/.test(path)) return true
  if (/^[A-Za-z]:/.test(path) && !path.toLowerCase().startsWith(workspace.toLowerCase())) return true
  return path
    .replace(/^[A-Za-z]:[\\/]/, '')
    .split(/[\\/]/)
    .some(
      (part) =>
        part.includes(':') ||
        (part !== '.' && part !== '..' && /[. ]$/.test(part)) ||
        WINDOWS_NAMES.test(part) ||
        /~\d/.test(part),
    )
}

function readFinding(path: string, canonical: string, places: Places): Finding {
  const secret =
    secretReason(inWorkspace(canonical, places)) ??
    secretReason(path.startsWith(places.workspace) ? path.slice(places.workspace.length) : path)
  if (secret !== null) return { level: 'danger', reason: sentence(secret), word: 'secret' }
  if (isInsideAny(canonical, places.readFolders)) return { level: 'safe', reason: 'It reads inside the workspace' }
  if (isInsideAny(canonical, places.readable)) return { level: 'safe', reason: 'It reads a result of this app' }
  return { level: 'ask', reason: `It reads outside the workspace: ${shortPath(canonical, places)}` }
}

function changeFinding(canonical: string, access: 'write' | 'delete', places: Places, isLink = false): Finding {
  const short = shortPath(canonical, places)
  const protection = protectedReason(inWorkspace(canonical, places))
  const vital = access === 'delete' ? vitalPath(canonical, places) : null
  if (vital !== null) return { level: 'danger', reason: `It deletes ${vital.what}`, word: 'delete' }
  if (protection !== null) return { level: 'danger', reason: `It changes ${short}: ${protection}`, word: 'config' }
  const trouble = changeTrouble(canonical, places, isLink)
  if (trouble !== null) return { level: 'ask', reason: sentence(trouble) }
  return { level: 'edit', reason: access === 'delete' ? `It deletes ${short}` : `It changes ${short}` }
}
