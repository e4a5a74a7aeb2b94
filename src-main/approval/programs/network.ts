import type { Field } from '../shell/field'
import { afterOptions, type Carried, joined, optionTexts, scriptOptions } from './carried'
import { operandsOf } from './dangers'
import type { Family, ProgramFacts } from './facts'
import { lastWritten, vitalOperands } from './written-paths'

const CONNECTS: ProgramFacts = { connects: true }
const remoteShell = (args: readonly Field[]): Carried[] => scriptOptions(args, ['-e', '--rsh', '-S'])
/** They get what is at an address, and print or save it. */
const FETCHES: ProgramFacts = { connects: true, downloads: true, foreignText: 'when it connects' }

/** Programs that talk to other machines. */
export const NETWORK: Family = {
  'curl wget': { ...FETCHES, versionWords: ['--version', '-V'], exactRules: true },
  'aria2c http nc ncat xh': FETCHES,
  https: { downloads: true, foreignText: 'when it connects' },
  'fetch lwp-download': { downloads: true },
  'telnet whois': { connects: true, foreignText: 'when it connects' },
  'dig ftp host mosh nslookup ping sftp traceroute': CONNECTS,
  'lynx w3m links elinks': { foreignText: 'when it connects' },
  'jira acli linear mail mailx mutt neomutt himalaya newsboat rsstail yt-dlp tuir toot': { foreignText: 'always' },
  ssh: {
    connects: true,
    versionWords: ['-V'],
    carries: (args) => [
      { kind: 'script', field: joined(afterOptions(args, 'bcDEeFIiJLlmOopQRSWw', 1)) },
      ...optionTexts(args, /^-?o?\s*(?:ProxyCommand|LocalCommand|KnownHostsCommand)[= ]\s*(.+)$/is),
    ],
    exactRules: true,
  },
  scp: { connects: true, carries: remoteShell, exactRules: true },
  rsync: {
    connects: true,
    carries: remoteShell,
    danger: (args, words, standing) =>
      (words.some((word) => /^--del/.test(word))
        ? vitalOperands(operandsOf(args).slice(-1), 'deletes in', standing)
        : null) ?? lastWritten(args, standing),
    exactRules: true,
  },
}
