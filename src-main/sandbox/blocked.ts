import { existsSync } from 'node:fs'
import type { Blocked } from '../../src-preload/contract/sandbox'
import { type Hidden, isBelow } from './cage'

interface BlockedFacts {
  hidden: readonly Hidden[]
  /** What is in sight all the same, inside of what is hidden. */
  shown?: readonly string[]
  home: string
  workspace: string
  /** Hosts that the proxy refused during the command. */
  refusedHosts: readonly string[]
}

const readOnly = /read-only file system|EROFS/i
const writtenPath = [
  /['"‘`]([^'"’`\n]+)['"’`]:? *(?:Read-only file system)/i,
  /(?:^|[\s:])(\/[^\s:'"]+): *Read-only file system/im,
  /(?:^|[\s:])([^\s:'"]+): *Read-only file system/im,
  /(?:Read-only file system|EROFS)[^\n]*?['"]([^'"\n]+)['"]/i,
]
const noNetwork =
  /network is unreachable|ENETUNREACH|could not resolve|couldn't resolve|EAI_AGAIN|ENOTFOUND|temporary failure in name resolution|name or service not known|no address associated with hostname|failed to lookup address|unable to resolve host|dial tcp|does not let this command connect|tunnel(?:ing)? (?:connection )?failed/i
const namedHost = [
  /(?:resolve host(?:name)?(?: address)?:?|getaddrinfo \w+|lookup address information for|ssh:.*hostname) ['"‘]?([\w-]+(?:\.[\w-]+)+)/i,
  /https?:\/\/([\w-]+(?:\.[\w-]+)+)/i,
]
const denied = /permission denied|no such file or directory|EACCES|ENOENT/i
const noRights =
  /operation not permitted|LeakSanitizer does not work under ptrace|EPERM|no new privileges|must be setuid|must be run as root|are you root/i

/** What a failed command ran into, judged by its output; `null` if the sandbox was not the cause. */
export function explainBlocked(output: string, facts: BlockedFacts): Blocked | null {
  const [host] = facts.refusedHosts
  if (host !== undefined)
    return { kind: 'network', text: `It tried to connect to ${host}, which is not an allowed host` }
  if (readOnly.test(output)) {
    const path = firstMatch(writtenPath, output)
    return { kind: 'write', text: path ? `It tried to write to ${path}` : 'It tried to write outside the workspace' }
  }
  if (noNetwork.test(output)) {
    const name = firstMatch(namedHost, output)
    return { kind: 'network', text: name ? `It tried to connect to ${name}` : 'It tried to use the network' }
  }
  if (denied.test(output)) {
    const elsewhere = withoutShown(output, facts)
    for (const hidden of facts.hidden) {
      const named = namedIn(elsewhere, hidden, facts)
      if (named !== null) return { kind: 'hidden', text: `It tried to read ${named}` }
    }
  }
  if (noRights.test(output)) return { kind: 'rights', text: 'It tried something that needs more permissions' }
  return null
}

/** The output without paths that can be seen: what is missing there is missing outside as well. */
function withoutShown(output: string, { shown = [], home, workspace }: BlockedFacts): string {
  let text = output
  for (const path of [workspace, ...shown])
    for (const spelled of isBelow(path, home) && path !== home ? [path, `~${path.slice(home.length)}`] : [path])
      text = text.replaceAll(`${spelled}/`, '').replaceAll(spelled, '')
  return text
}

/** What the output names of something hidden, as short as it can be said; `null` for nothing that is there outside. */
function namedIn(text: string, { path, folder }: Hidden, facts: BlockedFacts): string | null {
  if (!folder)
    return spellings(path, facts).some((each) => text.includes(each)) ? (spellings(path, facts)[0] ?? null) : null
  for (const start of spellings(path, facts)) {
    const at = text.indexOf(start)
    if (at < 0) continue
    const rest = /^(?:\/[^\s:'"‘’`]*)?/.exec(text.slice(at + start.length))?.[0] ?? ''
    if (existsSync(path + rest)) return spellings(path + rest, facts)[0] ?? null
  }
  return null
}

function firstMatch(patterns: readonly RegExp[], text: string): string | null {
  for (const pattern of patterns) {
    const found = pattern.exec(text)?.[1]
    if (found) return found
  }
  return null
}

/** The ways programs print a path, shortest first. */
function spellings(path: string, { home, workspace }: BlockedFacts): string[] {
  if (isBelow(path, workspace) && path !== workspace) return [path.slice(workspace.length + 1), path]
  return isBelow(path, home) && path !== home ? [`~${path.slice(home.length)}`, path] : [path]
}
