import type { Danger } from '../finding'
import { expandTilde, lexicalPath, type Places } from '../paths/paths'
import { protectedReason } from '../paths/protected-paths'
import { secretReason } from '../paths/secret-paths'
import { isDevice, vitalPath } from '../paths/vital-paths'
import { first } from '../programs/facts'

const RUNS =
  /\b(?:system|exec\w*|spawn\w*|popen\w*|Popen|run|call|check_output|check_call|shell_exec|passthru|proc_open|subprocess|child_process|getoutput|getline|do shell script|Process|iex|Invoke-Expression)\b|`|\bqx\b|\|&?\s*"/
const DELETES =
  /\b(?:rmtree|rm_rf|rm_r|remove_entry_secure|remove_dir_all|remove_tree|rmSync|rmdirSync|rmdir|rm|removeSync|unlink\w*|remove|removedirs|rimraf|delete_tree|DeleteDirectory|Remove-Item)\b/
const FORKS =
  /\bfork\b[\s\S]*\b(?:while|loop|for|until|redo|goto)\b|\b(?:while|loop|for|until|do|forever)\b[\s\S]*\bfork\b/
const POWER =
  /\b(?:Stop-Computer|Restart-Computer|InitiateShutdown|ExitWindowsEx|Win32Shutdown)\b|(?:tell (?:app|application)[\s\S]*(?:shut ?down|restart|log ?out|sleep))/i
/** The same in the languages that are meant to be read by people. */
const FETCHES =
  /\b(?:urlopen|urlretrieve|requests\.get|httpx\.get|https?\.get|fetch|LWP|file_get_contents|URI\.open|open-uri|Net::HTTP)\b/
const RUNS_TEXT =
  /\b(?:exec|eval|compile|execfile|Function|instance_eval|runIn\w*Context|os\.system|popen|Popen|subprocess|child_process)\b/
const CHANGES = /['"][wax]b?\+?['"]|\b(?:write|append|rename|copy|cp|move|symlink|link|chmod|truncate)\w*\b/i
const DOWNLOADS = /\b(?:iwr|irm|curl|wget|Invoke-WebRequest|Invoke-RestMethod|DownloadString|Net\.WebClient)\b/i
const EVALUATES = /\b(?:iex|Invoke-Expression)\b/i
const DISK = /\b(?:Format-Volume|Clear-Disk|Initialize-Disk|Remove-Partition|diskpart)\b/i
const ADMIN = /administrator privileges|-Verb\s+RunAs|\bsetuid\(0\)|\bos\.setuid\b/i

/** A look at code for an interpreter: not a proof of anything, only the disasters that are written plainly. */
export function codeDanger(
  code: string,
  cwds: readonly (string | null)[],
  places: Places,
  script: (text: string) => Danger | null,
): Danger | null {
  if (FORKS.test(code)) return { word: 'run', reason: 'starts endless copies of itself' }
  if (POWER.test(code)) return { word: 'power', reason: 'shuts down or restarts the computer' }
  if (DISK.test(code)) return { word: 'disk', reason: 'erases a disk' }
  if (ADMIN.test(code)) return { word: 'admin', reason: 'runs as administrator (root)' }
  if ((EVALUATES.test(code) && DOWNLOADS.test(code)) || (FETCHES.test(code) && RUNS_TEXT.test(code)))
    return { word: 'run', reason: 'runs what it has just downloaded' }
  const literals = [...code.matchAll(/"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)'|`((?:[^`\\]|\\.)*)`/gs)].map(
    (match) => match[1] ?? match[2] ?? match[3] ?? '',
  )
  for (const literal of literals) {
    if (RUNS.test(code)) {
      const found = script(literal)
      if (found) return found
    }
    const path = expandTilde(literal, places.files.home) ?? literal
    if (isDevice(path)) return { word: 'disk', reason: `touches the device ${path}` }
    if (/^[/~.]|^[\w.-]+\//.test(literal) && !/\s/.test(literal)) {
      const secret = secretReason(path)
      if (secret !== null) return { word: 'secret', reason: secret }
      const protection = CHANGES.test(code) ? protectedReason(path) : null
      if (protection !== null) return { word: 'config', reason: `changes ${literal}: ${protection}` }
    }
    if (!DELETES.test(code) || !/^(?:[/~.]|[A-Za-z]:\\?$)/.test(literal)) continue
    const vital = first(cwds, (cwd) => vitalPath(lexicalPath(path.replace(/\/\*+$/, '/'), cwd ?? '/'), places))
    if (vital !== null || /^[A-Za-z]:/.test(literal))
      return { word: 'delete', reason: `deletes ${vital?.what ?? literal}` }
  }
  if (
    DELETES.test(code) &&
    /(?:expanduser|homedir\(\)|Path\.home|ENV\[['"]HOME|Dir\.home|\$HOME|os\.homedir)/.test(code)
  )
    return { word: 'delete', reason: 'deletes in your home folder' }
  if (/-Recurse\b/i.test(code) && /\b[A-Za-z]:\\(?:\*|\s|$|")/.test(code))
    return { word: 'delete', reason: 'deletes a whole drive' }
  return null
}
