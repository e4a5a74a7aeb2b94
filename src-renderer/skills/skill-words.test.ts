import { expect, test } from 'vitest'
import type { SkillInfo } from '../../src-preload/contract/skills'
import { requirementWords, shownSkills, standing } from './skill-words'

const nothing = {
  hostRoles: [],
  capabilities: [],
  anyCapabilities: [],
  os: [],
  env: [],
  bins: [],
  anyBins: [],
  config: [],
}

const skill = (name: string, change: Partial<SkillInfo> = {}): SkillInfo => ({
  name,
  description: 'Does things',
  location: `skills/${name}/SKILL.md`,
  source: 'global',
  hidesGlobal: false,
  folder: `/data/skills/${name}`,
  homepage: null,
  always: false,
  enabled: true,
  eligible: true,
  eligibleHosts: [],
  reasons: [],
  requires: nothing,
  ...change,
})

test('says whether a skill is offered', () => {
  const skills = [skill('a'), skill('a', { eligible: false }), skill('a', { enabled: false, eligible: false })]
  expect(skills.map((entry) => standing(entry).words)).toEqual(['available', 'not available', 'off'])
})

test('finds by every word, and puts what is offered first', () => {
  const skills = [skill('zip', { enabled: false }), skill('beta', { eligible: false }), skill('git'), skill('alpha')]
  expect(shownSkills(skills, '').map(({ name }) => name)).toEqual(['alpha', 'git', 'beta', 'zip'])
  expect(shownSkills(skills, 'THINGS git').map(({ name }) => name)).toEqual(['git'])
})

test('lists only what is asked for', () => {
  expect(requirementWords({ ...nothing, os: ['linux'], anyBins: ['gh', 'hub'] })).toEqual([
    { need: 'the system', of: ['linux'] },
    { need: 'one of the programs', of: ['gh', 'hub'] },
  ])
})
