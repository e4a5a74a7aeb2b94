import type { Rule, RuleOffer, RuleScope } from '../../src-preload/contract/approval'
import { shortPath } from '../terminal/words'

/** The names of sessions and processes; `undefined` for those that are gone. */
export interface Names {
  session(id: string): string | undefined
  process(id: string): string | undefined
}

/** Where a rule applies, in words. */
export function scopeWords(rule: Rule, names: Names): string {
  switch (rule.scope) {
    case 'process':
      return called('process', names.process(rule.subject))
    case 'session':
      return called('session', names.session(rule.subject))
    case 'workspace':
      return shortPath(rule.subject)
    case 'everywhere':
      return 'everywhere'
  }
}

const called = (what: string, name: string | undefined): string =>
  name === undefined ? `a deleted ${what}` : `the ${what} “${name}”`

/** The rules that contain every word of the filter, the most recently used first. */
export function filterRules(rules: Rule[], filter: string, names: Names): Rule[] {
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean)
  return rules
    .filter((rule) => {
      const text = `${rule.sentence} ${scopeWords(rule, names)} ${rule.verdict} ${rule.action}`.toLowerCase()
      return words.every((word) => text.includes(word))
    })
    .sort((a, b) => (b.lastUsedAt ?? b.createdAt) - (a.lastUsedAt ?? a.createdAt))
}

/** How often a rule would have matched so far, as a reason for or against it. */
export function pastWords({ total, matched, refused }: NonNullable<RuleOffer['past']>, scope: RuleScope): string {
  const where = scope === 'session' ? ' in this session' : scope === 'workspace' ? ' in this workspace' : ''
  const denied = refused === 0 ? '' : total === 1 ? ', which you denied' : `, ${refused} of which you denied`
  if (total === 1) return `Would ${matched === 0 ? 'not ' : ''}have matched your last approval${where}${denied}`
  const last = `your last ${total} approvals${where}`
  return matched === 0 ? `Would not have matched any of ${last}` : `Would have matched ${matched} of ${last}${denied}`
}

/** What the answer for a session or a process covers. */
export function widerWords({ scope, sentence }: Pick<RuleOffer, 'scope' | 'sentence'>): string {
  const what = sentence.replace(/^Allow /, '')
  if (scope === 'process') return `Until it exits, allows ${what.replace(' until it exits', '')}.`
  return `For this session, allows ${what.replace(' in this session', '')}, and nothing else.`
}
