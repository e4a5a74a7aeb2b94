import type { SkillRequirements } from '../../src-preload/contract/skills'

/** The facts about a machine that skills can require. */
export interface SkillHost {
  id: string
  role: string
  capabilities: readonly string[]
  os: string | null
  envKeys: readonly string[]
  /** Results of the program search; a program that is not listed counts as missing. */
  bins: Readonly<Record<string, boolean>>
}

export interface Eligibility {
  eligible: boolean
  /** Machines that meet all requirements; empty if the skill requires nothing of a machine. */
  hosts: string[]
  /** Readable text such as `requires bins: gh`. */
  reasons: string[]
}

const knownRoles: readonly string[] = ['execution', 'specialized']

/** Checked in this order. Each step filters the machines, so a single machine has to meet all requirements. */
const steps: readonly { key: keyof SkillRequirements; holds(host: SkillHost, wanted: readonly string[]): boolean }[] = [
  { key: 'hostRoles', holds: (host, wanted) => wanted.includes(host.role) },
  { key: 'capabilities', holds: (host, wanted) => wanted.every((id) => host.capabilities.includes(id)) },
  { key: 'anyCapabilities', holds: (host, wanted) => wanted.some((id) => host.capabilities.includes(id)) },
  { key: 'os', holds: (host, wanted) => host.os !== null && wanted.map(osName).includes(host.os) },
  { key: 'env', holds: (host, wanted) => wanted.every((name) => host.envKeys.includes(name)) },
  { key: 'bins', holds: (host, wanted) => wanted.every((name) => has(host.bins, name)) },
  { key: 'anyBins', holds: (host, wanted) => wanted.some((name) => has(host.bins, name)) },
]

/** Whether a skill can be used on the connected machines. A pure function: all results it needs are in `hosts`. */
export function evaluate(
  requires: SkillRequirements,
  hosts: readonly SkillHost[],
  facts: { capabilities: readonly string[]; config: unknown },
): Eligibility {
  const unknown = unknownIds(requires, facts.capabilities)
  if (unknown.length > 0) return { eligible: false, hosts: [], reasons: unknown }

  const asked = steps.filter(({ key }) => requires[key].length > 0)
  let left = hosts
  if (asked.length > 0 && hosts.length === 0) return { eligible: false, hosts: [], reasons: ['no node is connected'] }
  for (const { key, holds } of asked) {
    const before = left
    left = left.filter((host) => holds(host, requires[key]))
    if (left.length > 0) continue
    // If another machine meets this requirement, say so, or the user would look for something that is not missing.
    const elsewhere = hosts.filter((host) => holds(host, requires[key])).map(({ id }) => id)
    const place = elsewhere.length > 0 ? ` (there on ${elsewhere.join(', ')}, but the rest is not)` : ''
    const where = before.length < hosts.length ? ` on ${before.map(({ id }) => id).join(', ')}` : ''
    return { eligible: false, hosts: [], reasons: [`requires ${key}: ${requires[key].join(', ')}${where}${place}`] }
  }
  const unset = requires.config.filter((path) => isEmpty(valueAt(facts.config, path)))
  if (unset.length > 0) return { eligible: false, hosts: [], reasons: [`requires config: ${unset.join(', ')}`] }
  return { eligible: true, hosts: asked.length > 0 ? left.map(({ id }) => id) : [], reasons: [] }
}

/** The programs that have to be looked up before calling `evaluate`. */
export const binsOf = ({ bins, anyBins }: SkillRequirements): string[] => [...new Set([...bins, ...anyBins])]

function unknownIds(requires: SkillRequirements, capabilities: readonly string[]): string[] {
  const role = requires.hostRoles.filter((id) => !knownRoles.includes(id))
  const capability = [...requires.capabilities, ...requires.anyCapabilities].filter((id) => !capabilities.includes(id))
  return [
    ...(role.length > 0 ? [`unknown host role: ${role.join(', ')}`] : []),
    ...(capability.length > 0 ? [`unknown capability: ${capability.join(', ')}`] : []),
  ]
}

const has = (bins: Readonly<Record<string, boolean>>, name: string): boolean =>
  Object.hasOwn(bins, name) && bins[name] === true

function osName(name: string): string {
  const lower = name.toLowerCase()
  return lower === 'macos' ? 'darwin' : lower === 'win32' ? 'windows' : lower
}

/** The value at a dotted path. Uses own properties only, since a path may contain `constructor`. */
export function valueAt(value: unknown, path: string): unknown {
  let current = value
  for (const key of path.split('.')) {
    if (typeof current !== 'object' || current === null || !Object.hasOwn(current, key)) return undefined
    current = (current as Record<string, unknown>)[key]
  }
  return current
}

const isEmpty = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  value === false ||
  value === '' ||
  (typeof value === 'object' && Object.keys(value).length === 0)
