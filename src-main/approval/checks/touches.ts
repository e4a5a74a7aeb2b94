import type { SubCommand } from '../../../src-preload/contract/approval'
import { type Places, shortPath } from '../paths/paths'
import type { ProgramFacts } from '../programs/facts'
import { factsOf } from '../programs/registry'
import type { Field } from '../shell/field'
import type { Invocation } from '../shell/plan'
import { baseName } from '../shell/program-name'
import { possiblePaths } from '../shell/word-paths'

export type Effects = NonNullable<SubCommand['effects']>

/** What an invocation would touch, for the card; a good guess for programs that the gate does not know. */
export function effectsOf(
  invocation: Invocation,
  found: { reads: string[]; writes: string[]; deletes: string[] },
  places: Places,
): Effects {
  const [program, ...args] = invocation.fields
  const facts = factsOf(baseName(program?.text ?? '')) ?? {}
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
  if (writes.length === 0) writes.push(...paths(writtenBy(facts, operands)))
  if (deletes.length === 0 && facts.deletes) deletes.push(...paths(operands))
  const runs = (facts.carries?.(args, []) ?? []).map((carried) =>
    carried.kind === 'argv' ? carried.fields.map(({ text }) => text).join(' ') : carried.field.text,
  )
  if ((facts.runs === 'shell' || facts.runs === 'interpreter') && operands[0] && runs.length === 0)
    runs.push(operands[0].text)
  const hosts = connects(facts, args)
  const named = (path: string): string => (path === places.workspace ? '.' : shortPath(path, places))
  const shown = (list: string[]): string[] => [...new Set(list.map(named))].slice(0, 20)
  return {
    ...(reads.length > 0 && { reads: shown(reads) }),
    ...(writes.length > 0 && { writes: shown(writes) }),
    ...(deletes.length > 0 && { deletes: shown(deletes) }),
    ...(hosts.length > 0 && { connects: hosts }),
    ...(runs.length > 0 && { runs: runs.filter((text) => text !== '').map((text) => text.slice(0, 200)) }),
  }
}

function writtenBy({ writes }: ProgramFacts, operands: readonly Field[]): readonly Field[] {
  switch (writes) {
    case 'operands':
      return operands
    case 'rights':
      return operands.slice(1)
    case 'last':
      return operands.slice(-1)
    case undefined:
      return []
  }
}

/** Stands among the hosts of a command that uses the network without naming any. */
export const SOME_HOST = 'the network'

/** Hosts that a command names, or that it uses the network at all. */
function connects({ connects: how }: ProgramFacts, args: readonly Field[]): string[] {
  if (how === undefined) return []
  const words = args.map(({ text }) => text)
  const verb = words.find((word) => !word.startsWith('-')) ?? ''
  if (how !== true && !how.test(verb)) return []
  const hosts = words.flatMap((word) => /^(?:[a-z][a-z+.-]*:\/\/|[\w.-]+@)([\w.[\]-]+)/i.exec(word)?.[1] ?? [])
  if (hosts.length > 0) return hosts
  return [how === true && verb !== '' ? verb : SOME_HOST]
}
