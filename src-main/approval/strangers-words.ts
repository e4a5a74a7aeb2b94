import type { SubCommand } from '../../src-preload/contract/approval'
import { baseName } from './program-name'

/** Programs that print what somebody else wrote: pages, answers of servers, issues and their titles. */
const FETCHERS = /^(?:curl|wget|http|https|xh|lynx|w3m|links|elinks|aria2c|gh|glab|hub|tea|nc|ncat|telnet|whois)$/

/** Whether the output of a command may hold words of strangers, which a model might take for orders. */
export const printsStrangersWords = (parts: readonly Pick<SubCommand, 'text' | 'effects'>[]): boolean =>
  parts.some(({ text, effects }) => effects?.connects && FETCHERS.test(baseName(text.trimStart().split(/\s/)[0] ?? '')))
