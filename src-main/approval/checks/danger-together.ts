import type { Danger } from '../finding'
import type { Places } from '../paths/paths'
import { VITAL_PROCESSES } from '../programs/processes'
import { factsOf, isInterpreter, isShell } from '../programs/registry'
import type { Invocation, ShellPlan } from '../shell/plan'
import { baseName } from '../shell/program-name'
import { possiblePaths } from '../shell/word-paths'
import { WRITES } from './danger-operands'
import { comesFromNetwork, isDownload, printedText } from './pipes'

export const TOO_DEEP: Danger = { word: 'run', reason: 'hides what it runs behind too many layers' }

/** Judges a text that some shell would read. */
type ScriptCheck = (text: string, cwds: readonly (string | null)[]) => Danger | null

/** What only shows when the parts are seen together. */
export function wholeDanger(plan: ShellPlan, places: Places, script: ScriptCheck): Danger | null {
  if (plan.recursive) return { word: 'run', reason: 'starts endless copies of itself' }
  if (plan.unsearched) return TOO_DEEP
  return killDanger(plan) ?? fetchedDanger(plan) ?? writtenDanger(plan, places, script)
}

/** Looked up by name, then ended by number. */
function killDanger({ invocations }: ShellPlan): Danger | null {
  const looksUp = invocations.some(
    ({ fields: [program, ...rest] }) =>
      factsOf(program?.text ?? '')?.findsProcesses &&
      rest.some(({ text }) => VITAL_PROCESSES.includes(text.replace(/[[\]]/g, '').toLowerCase())),
  )
  const ends = looksUp && invocations.some(({ fields }) => fields.some(({ text }) => factsOf(text)?.endsProcesses))
  return ends ? { word: 'kill', reason: 'ends processes that it did not start' } : null
}

const FETCHES_INSIDE = /(?:<\(|\$\(|`)\s*(?:\S*\/)?(?:curl|wget|fetch|http|xh)\s/

/** `python3 <(curl …)` and `perl -e "$(wget …)"`: an interpreter is given what was just downloaded. */
function fetchedDanger({ invocations }: ShellPlan): Danger | null {
  const found = invocations.some(({ text, fields: [program] }) => {
    const name = baseName(program?.text ?? '')
    return FETCHES_INSIDE.test(text) && (isShell(name) || isInterpreter(name))
  })
  return found ? { word: 'run', reason: 'runs what it has just downloaded' } : null
}

/** A file that one part writes and a later one runs. */
function writtenDanger({ invocations }: ShellPlan, places: Places, script: ScriptCheck): Danger | null {
  const written = new Map<string, string>()
  const downloaded = new Set<string>()
  const pathsOf = (text: string, { cwds }: Invocation): string[] =>
    possiblePaths({ text, unknown: false, pattern: null }, cwds, places)
  for (const invocation of invocations) {
    for (const { text } of written.size > 0 ? invocation.fields : []) {
      const content = written.get(pathsOf(text, invocation).at(-1) ?? '')
      const found = content === undefined ? null : script(content, invocation.cwds)
      if (found) return { ...found, reason: `writes a script and uses it: ${found.reason}` }
    }
    if (downloaded.size > 0 && startedFiles(invocation).some((text) => hasAny(downloaded, pathsOf(text, invocation))))
      return { word: 'run', reason: 'runs what it has just downloaded' }

    const text = printedText(invocation)
    const network = isDownload(invocation) || comesFromNetwork(invocation.source)
    const targets = invocation.redirects
      .filter(({ operator }) => WRITES.has(operator))
      .flatMap(({ target }) => target ?? [])
    for (const path of targets.flatMap((target) => possiblePaths(target, invocation.cwds, places))) {
      if (text !== null) written.set(path, `${written.get(path) ?? ''}\n${text}`)
      if (network) downloaded.add(path)
    }
    if (network)
      for (const name of savedNames(invocation)) for (const path of pathsOf(name, invocation)) downloaded.add(path)
  }
  return null
}

const hasAny = (set: ReadonlySet<string>, items: readonly string[]): boolean => items.some((item) => set.has(item))

/** The files that an invocation would run: itself, or what a shell or an interpreter is given. */
function startedFiles({ fields, redirects }: Invocation): string[] {
  const [program, ...rest] = fields.map(({ text }) => text)
  if (program === undefined) return []
  const runs = factsOf(baseName(program))?.runs
  if (runs !== 'shell' && runs !== 'interpreter' && runs !== 'sourced') return [program]
  const input = redirects.filter(({ operator }) => operator === '<').flatMap(({ target }) => target?.text ?? [])
  return [program, ...rest, ...input]
}

/** The names under which curl and wget save what they get, and every file that something in between writes. */
function savedNames({ fields }: Invocation): string[] {
  const words = fields.map(({ text }) => text)
  const given = words.flatMap((word, index) =>
    /^(?:-[a-zA-Z]*[oO]|--output|--output-document)$/.test(words[index - 1] ?? '')
      ? [word]
      : (/^(?:--output(?:-document)?=|-o)(.+)$/.exec(word)?.slice(1) ?? []),
  )
  const fromAddress = words.flatMap((word) => /^(?:[a-z]+:\/\/)?[^/]+\/(?:.*\/)?([^/?#]+)/i.exec(word)?.slice(1) ?? [])
  const copies = factsOf(words[0] ?? '')?.savesInput ? words.slice(1) : []
  return [...given, ...fromAddress, ...copies]
}
