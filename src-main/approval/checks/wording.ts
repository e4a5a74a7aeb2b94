import type { ProgramFacts } from '../programs/facts'
import { factsOf } from '../programs/registry'
import type { Invocation } from '../shell/plan'
import { baseName } from '../shell/program-name'
import type { Effects } from './touches'

/** Words that a reason of ours begins with. Anything else at its beginning is a program or a file, and stays as it is. */
const OUR_WORDS = new Set(
  `it its nobody the this that there only begins ends goes puts uses asks expands lacks reads writes rewrites overwrites
  deletes erases changes touches runs starts switches configures sets publishes prints hides hands gives makes shuts exports`.split(
    /\s+/,
  ),
)

/** A reason as a sentence, in which `rm` and `package.json` keep their spelling. */
export function sentence(text: string): string {
  const [first = ''] = /^[a-z]+(?=\s)/.exec(text) ?? []
  return (OUR_WORDS.has(first) ? text.charAt(0).toUpperCase() + text.slice(1) : text).slice(0, 400)
}

const INSTALLS = /^(?:i|install|ci|add|update|upgrade|up|dedupe|link|get|remove|uninstall|rm)$/

/**
 * What a program that asks would do, in words for the card: `rm deletes node_modules`. `null` where only the reason why it
 * is no harmless reading is known.
 */
export function whatItDoes({ fields }: Invocation, effects: Effects): string | null {
  const [program, ...args] = fields
  if (!program || program.unknown) return null
  const name = baseName(program.text)
  const facts = factsOf(name) ?? {}
  const verb = args.find(({ text }) => !text.startsWith('-'))?.text ?? ''
  const named = facts.hasVerbs && /^[a-z][\w-]*$/.test(verb) ? `${name} ${verb}` : name
  if (effects.deletes?.length) return `${name} deletes ${placed(effects.deletes)}`
  const packages = facts.packages && packageWork(facts.packages, name, verb)
  if (packages) return packages
  if (effects.connects?.length) return `${named} connects to ${listed(effects.connects)}`
  if (facts.repositoryVerbs?.test(verb)) return `${name} ${verb} changes the repository`
  if (facts.runsProject) return `${named} runs project code`
  const runs = effects.runs?.length ? `${name} runs ${shorten(effects.runs[0] ?? '')}` : null
  if (facts.runs === 'shell' || facts.runs === 'interpreter') return runs ?? `${name} runs code`
  if (effects.writes?.length)
    return `${name} ${facts.writes === 'rights' ? 'changes permissions of' : 'writes'} ${placed(effects.writes)}`
  return facts.purpose === undefined ? runs : `${name} ${facts.purpose}`
}

/** What a program that deals with packages does with them; `null` where it does something else. */
function packageWork(kind: NonNullable<ProgramFacts['packages']>, name: string, verb: string): string | null {
  switch (kind) {
    case 'manager':
      return managerWork(name, verb)
    case 'once':
      return `${name} downloads and runs ${verb || 'a package'}`
    case 'installer':
      return INSTALLS.test(verb) ? `${name} ${verb} installs or removes packages` : null
  }
}

function managerWork(name: string, verb: string): string {
  if (verb === '' || INSTALLS.test(verb))
    return `${[name, verb].filter(Boolean).join(' ')} installs or removes packages, which may run their own scripts`
  if (/^(?:dlx|exec|x|create|init)$/.test(verb)) return `${name} ${verb} downloads and runs a package`
  return `${name} ${verb} runs project scripts`
}

const listed = (items: readonly string[]): string =>
  items.length > 3
    ? `${items.slice(0, 2).join(', ')} and ${items.length - 2} more`
    : items.length > 1
      ? `${items.slice(0, -1).join(', ')} and ${items.at(-1)}`
      : (items[0] ?? '')

/** Paths inside the workspace are shown relative to it. */
const placed = (paths: readonly string[]): string =>
  paths.some((path) => /^[/~]/.test(path)) ? `${listed(paths)}, outside the workspace` : listed(paths)

const shorten = (text: string): string => {
  const line = text.split('\n')[0] ?? ''
  return line.length > 80 || line !== text ? `${line.slice(0, 80)} …` : line
}
