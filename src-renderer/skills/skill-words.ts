import type { SkillInfo, SkillRequirements } from '../../src-preload/contract/skills'
import { namesIn } from '../state/names-in'

interface Standing {
  tone: 'good' | 'idle'
  words: string
}

/** Whether a skill is offered to the model, and if not, why. */
export function standing(skill: SkillInfo): Standing {
  if (!skill.enabled) return { tone: 'idle', words: 'off' }
  if (skill.eligible) return { tone: 'good', words: 'available' }
  return { tone: 'idle', words: 'not available' }
}

/** Where a skill comes from, for its badge. */
export const sourceWords = (source: SkillInfo['source']): string =>
  ({ agent: 'this agent only', global: 'shared', user: 'from your home folder', project: 'from this project' })[source]

const names: Record<keyof SkillRequirements, string> = {
  hostRoles: 'a node with the role',
  capabilities: 'the capabilities',
  anyCapabilities: 'one of the capabilities',
  os: 'the system',
  env: 'the environment variables',
  bins: 'the programs',
  anyBins: 'one of the programs',
  config: 'the settings',
}

/** What a skill requires, one line each. */
export const requirementWords = (requires: SkillRequirements): { need: string; of: string[] }[] =>
  namesIn(names)
    .filter((key) => requires[key].length > 0)
    .map((key) => ({ need: names[key], of: requires[key] }))

/** The skills whose name, description or location contains every word of the filter; available ones first. */
export function shownSkills(skills: SkillInfo[], filter: string): SkillInfo[] {
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean)
  const text = (skill: SkillInfo) => `${skill.name} ${skill.description} ${skill.location}`.toLowerCase()
  const rank = (skill: SkillInfo) => (skill.enabled ? (skill.eligible ? 0 : 1) : 2)
  return skills
    .filter((skill) => words.every((word) => text(skill).includes(word)))
    .sort((a, b) => rank(a) - rank(b) || a.name.localeCompare(b.name))
}
