/** Rules that the schema of a call enforces and that a form explains beforehand. Without zod, which the window does not load. */

export interface TextRule {
  pattern: RegExp
  longest: number
  /** What the user should do, without the full stop. */
  words: string
}

export interface NumberRule {
  least: number
  /** `least` itself is too little. */
  above?: true
  most: number
  whole?: true
  words: string
}

export type FieldRule = TextRule | NumberRule

const anything = /\S/
const week = 7 * 24 * 60

/** Part of session keys and of `channel:peer` addresses, so it holds no colon. */
export const channelNameRule: TextRule = {
  pattern: /^[a-z0-9](?:[a-z0-9_-]*[a-z0-9])?$/,
  longest: 32,
  words: 'Lower case letters and digits, with dashes or underscores between them, 32 at most',
}

/** Whoever guesses it can speak in the user's name. */
export const signingKeyRule: TextRule = {
  pattern: /^[\s\S]{16}/,
  longest: 10_000,
  words: 'Use at least 16 characters. Anyone who guesses it can send messages here',
}

/** Never `__`, which separates a server from a tool. */
export const serverIdRule: TextRule = {
  pattern: /^[A-Za-z0-9](?:[_-]?[A-Za-z0-9])*$/,
  longest: 32,
  words: 'Letters and digits, with single dashes or underscores between them, 32 at most',
}

/** Not for machines or servers: `gsv` is the gateway's own prefix, and `local` means this machine whatever its name. */
const reservedNames = new Set(['gsv', 'local'])
export const isReservedName = (name: string): boolean => reservedNames.has(name.toLowerCase())

export const nodeNameRule: TextRule = {
  pattern: /^[A-Za-z0-9](?:[._-]?[A-Za-z0-9])*$/,
  longest: 48,
  words: 'Use letters and digits, separated by single dots, dashes or underscores',
}

/** A word of a command line, and never one that is read as an option. */
export const commandWordRule: TextRule = { pattern: /^[^\s-]\S*$/, longest: 200, words: 'Enter a name without spaces' }
export const distributionRule: TextRule = {
  pattern: /^[^\s"-][^\s"]*$/,
  longest: 200,
  words: 'Enter the name of a distribution',
}
export const tmuxSessionRule: TextRule = {
  pattern: /^[\w-]+$/,
  longest: 64,
  words: 'Use letters, digits, dashes and underscores',
}
export const portRule: NumberRule = { least: 1, most: 65_535, whole: true, words: 'Enter a number from 1 to 65535' }

export const jobNameRule: TextRule = {
  pattern: anything,
  longest: 200,
  words: 'Enter a name, so that you recognize it in the inbox',
}
export const jobTimeRule: TextRule = {
  pattern: anything,
  longest: 200,
  words: 'Enter a time, such as “tomorrow at 9” or “in 20 minutes”',
}
export const cronRule: TextRule = {
  pattern: anything,
  longest: 200,
  words: 'Enter five fields, such as 0 9 * * 1-5',
}
export const jobTextRule: TextRule = { pattern: anything, longest: 100_000, words: 'Enter what to do or say' }
export const intervalRule: NumberRule = {
  least: 0,
  above: true,
  most: Number.MAX_VALUE,
  words: 'Enter a number above zero',
}
export const runMinutesRule: NumberRule = {
  least: 0,
  above: true,
  most: week,
  words: 'Enter minutes above zero, a week at most, or leave it empty',
}
export const answerMinutesRule: NumberRule = {
  least: 1,
  most: week,
  words: 'Enter at least one minute, a week at most, or leave it empty',
}
/** 0 stands for no cap in the call. */
export const jobCostRule: NumberRule = {
  least: 0,
  most: 1_000_000,
  words: 'Enter dollars above zero, a million at most, or leave it empty',
}

export const providerNameRule: TextRule = { pattern: anything, longest: 200, words: 'Enter a name' }
export const variableRule: TextRule = {
  pattern: /^[A-Za-z_][A-Za-z0-9_]*$/,
  longest: 200,
  words: 'Enter the name of a variable, such as OPENAI_API_KEY',
}
export const keyCommandRule: TextRule = {
  pattern: anything,
  longest: 4000,
  words: 'Enter a command that prints the key, such as pass show openai',
}

/** What is wrong with what was typed, as a sentence; nothing if it keeps the rule. */
export function problemWith(text: string, rule: FieldRule): string | undefined {
  if ('pattern' in rule) {
    if (text.length > rule.longest) return `Use at most ${rule.longest.toLocaleString('en')} characters.`
    return rule.pattern.test(text) ? undefined : `${rule.words}.`
  }
  const number = text.trim() === '' ? Number.NaN : Number(text)
  const enough = rule.above ? number > rule.least : number >= rule.least
  return enough && number <= rule.most && (!rule.whole || Number.isInteger(number)) ? undefined : `${rule.words}.`
}

export const longestAddress = 2000

export const isWebAddress = (text: string): boolean =>
  text.length <= longestAddress && /^https?:$/.test(URL.parse(text)?.protocol ?? '')
