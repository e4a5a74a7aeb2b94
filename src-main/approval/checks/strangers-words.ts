import type { SubCommand } from '../../../src-preload/contract/approval'
import { baseName } from '../shell/program-name'

/** Programs that print what somebody else wrote: pages, answers of servers, issues and their titles, mail. */
const FETCHERS = /^(?:curl|wget|http|https|xh|lynx|w3m|links|elinks|aria2c|gh|glab|hub|tea|nc|ncat|telnet|whois)$/
const READERS = /^(?:jira|acli|linear|mail|mailx|mutt|neomutt|himalaya|newsboat|rsstail|yt-dlp|tuir|toot)$/
/** What a package's author says of it. */
const REGISTRIES =
  /^(?:npm|pnpm|yarn|bun) (?:view|info|show|v|search)\b|^(?:cargo|gem|pip3?|brew) (?:search|info|desc)\b/

const GIT_PRINTS =
  /\s(?:log|show|diff|shortlog|blame|grep|cherry|range-diff|format-patch|whatchanged|cat-file|archive)\s/
/** Branches as others have pushed them, under the names that nearly everybody gives to where they come from. */
const REMOTE_BRANCH =
  /(?:^|[\s.^'"])(?:remotes\/)?(?:origin|upstream|fork|mirror)(?:\/|\s|$)|refs\/remotes\/|refs\/pull\/|FETCH_HEAD|@\{(?:u|upstream)\}|\s--(?:all|remotes)\b/i
/** What is here and not there is one's own. */
const OWN_SIDE = /\s\S+?\.\.(?:HEAD)?(?=\s|$)/g

/** Whether the output of a command may hold words of strangers, which a model might take for orders. */
export const printsStrangersWords = (parts: readonly Pick<SubCommand, 'text' | 'effects'>[]): boolean =>
  parts.some(({ text, effects }) => {
    const [program = '', ...words] = text.trim().split(/\s+/)
    const name = baseName(program)
    const line = ` ${words.join(' ')} `
    if (name === 'git') return GIT_PRINTS.test(line) && REMOTE_BRANCH.test(line.replace(OWN_SIDE, ''))
    if (READERS.test(name) || REGISTRIES.test(`${name}${line}`)) return true
    return effects?.connects !== undefined && FETCHERS.test(name)
  })
