import type { SubCommand } from '../../../src-preload/contract/approval'
import { type Places, shortPath } from '../paths/paths'
import { possiblePaths } from '../paths/vital-paths'
import { isInterpreter, isShell } from '../programs/interpreters'
import { carriedBy } from '../programs/unwrap'
import type { Field } from '../shell/field'
import type { Invocation } from '../shell/plan'
import { baseName } from '../shell/program-name'

export type Effects = NonNullable<SubCommand['effects']>

const WRITERS = /^(?:touch|mkdir|tee|truncate|sponge|chmod|chown|ln)$/
const DELETERS = /^(?:rm|rmdir|unlink|shred)$/
const NETWORK =
  /^(?:curl|wget|http|xh|ssh|scp|sftp|rsync|nc|ncat|telnet|ftp|ping|dig|nslookup|host|traceroute|whois|aria2c|mosh|ftp)$/
const NETWORK_VERBS: ReadonlyMap<string, RegExp> = new Map([
  ['git', /^(?:clone|fetch|pull|push|ls-remote|submodule|remote)$/],
  ['npm', /^(?:i|install|ci|add|update|publish|view|audit|outdated|exec|init|create|login)$/],
  ['pnpm', /^(?:i|install|add|update|publish|dlx)$/],
  ['yarn', /^(?:install|add|upgrade|publish|dlx)$/],
  ['pip', /^(?:install|download|search)$/],
  ['pip3', /^(?:install|download|search)$/],
  ['cargo', /^(?:install|fetch|update|publish|add|search)$/],
  ['go', /^(?:get|install|mod)$/],
  ['docker', /^(?:pull|push|login|build|run)$/],
  ['gh', /^.+$/],
  ['apt', /^(?:install|update|upgrade)$/],
  ['apt-get', /^(?:install|update|upgrade)$/],
  ['brew', /^(?:install|update|upgrade)$/],
  ['kubectl', /^.+$/],
  ['npx', /^.+$/],
  ['uvx', /^.+$/],
])

/** What an invocation would touch, for the card; a good guess for programs that the gate does not know. */
export function effectsOf(
  invocation: Invocation,
  found: { reads: string[]; writes: string[]; deletes: string[] },
  places: Places,
): Effects {
  const [program, ...args] = invocation.fields
  const name = baseName(program?.text ?? '')
  const operands = args.filter(({ text }) => !text.startsWith('-'))
  const paths = (fields: readonly Field[]): string[] =>
    fields.flatMap((field) => possiblePaths(field, invocation.cwds.slice(0, 1), places).slice(-1))
  const reads = [...found.reads]
  const writes = [...found.writes]
  const deletes = [...found.deletes]
  for (const { operator, target } of invocation.redirects) {
    if (!target || operator.startsWith('<<') || /^\d$|^-$/.test(target.text) || target.text === '/dev/null') continue
    ;(operator === '<' ? reads : writes).push(...paths([target]))
  }
  if (writes.length === 0 && WRITERS.test(name))
    writes.push(...paths(/^ch(?:mod|own)$/.test(name) ? operands.slice(1) : operands))
  if (writes.length === 0 && /^(?:cp|mv|install)$/.test(name)) writes.push(...paths(operands.slice(-1)))
  if (deletes.length === 0 && DELETERS.test(name)) deletes.push(...paths(operands))
  const runs = carriedBy(name, invocation.fields, []).map((carried) =>
    carried.kind === 'argv' ? carried.fields.map(({ text }) => text).join(' ') : carried.field.text,
  )
  if ((isShell(name) || isInterpreter(name)) && operands[0] && runs.length === 0) runs.push(operands[0].text)
  const named = (path: string): string => (path === places.workspace ? '.' : shortPath(path, places))
  const shown = (list: string[]): string[] => [...new Set(list.map(named))].slice(0, 20)
  return {
    ...(reads.length > 0 && { reads: shown(reads) }),
    ...(writes.length > 0 && { writes: shown(writes) }),
    ...(deletes.length > 0 && { deletes: shown(deletes) }),
    ...(connects(name, args).length > 0 && { connects: connects(name, args) }),
    ...(runs.length > 0 && { runs: runs.filter((text) => text !== '').map((text) => text.slice(0, 200)) }),
  }
}

/** Hosts that a command names, or that it uses the network at all. */
export function connects(name: string, args: readonly Field[]): string[] {
  const words = args.map(({ text }) => text)
  const hosts = words.flatMap((word) => /^(?:[a-z][a-z+.-]*:\/\/|[\w.-]+@)([\w.[\]-]+)/i.exec(word)?.[1] ?? [])
  const verb = words.find((word) => !word.startsWith('-')) ?? ''
  if (NETWORK.test(name)) return hosts.length > 0 ? hosts : [verb === '' ? 'the network' : verb]
  if (NETWORK_VERBS.get(name)?.test(verb)) return hosts.length > 0 ? hosts : ['the network']
  return []
}
