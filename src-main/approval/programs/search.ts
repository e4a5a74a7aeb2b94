import type { Danger } from '../finding'
import { isInside } from '../paths/paths'
import type { Field } from '../shell/field'
import { possiblePaths, vitalTarget } from '../shell/word-paths'
import { type Carried, plain } from './carried'
import { type Doubt, doubt, type Family, type ReadingContext, type ReadingTable, type Standing } from './facts'
import { pathDoubt } from './reading-paths'
import { valuesAfter, writtenPaths } from './written-paths'

const GREP: ReadingTable = {
  short: 'EFGPivwxcLloqshHnTZabrzyUVIe:f:m:A:B:C:d:',
  long: `extended-regexp fixed-strings basic-regexp perl-regexp regexp= file= ignore-case no-ignore-case word-regexp line-regexp
    null-data no-messages invert-match max-count= byte-offset line-number line-buffered with-filename no-filename label=
    only-matching quiet silent binary-files= text recursive include= exclude= exclude-dir= files-without-match
    files-with-matches count initial-tab null before-context= after-context= context= color[=] colour[=] directories=`,
  number: true,
  operands: 'pattern then path',
  paths: ['-f', '--file'],
  recursive: ['-r', '--recursive', '-d', '--directories'],
  patternOptions: ['-e', '-f', '--regexp', '--file'],
}
const RG: ReadingTable = {
  short: 'acihHIFlnNopPqsSvVwxU0uA:B:C:e:E:f:g:j:m:M:r:t:T:d:',
  long: `after-context= before-context= context= count count-matches case-sensitive color= colors= column crlf encoding=
    regexp= file= files files-with-matches files-without-match fixed-strings glob= iglob= glob-case-insensitive heading
    no-heading hidden no-hidden ignore-case smart-case invert-match json line-number no-line-number line-regexp
    max-columns= max-columns-preview max-count= max-depth= max-filesize= multiline multiline-dotall no-config no-ignore
    no-ignore-vcs no-messages null one-file-system only-matching passthru pcre2 pretty quiet replace= sort= sortr=
    stats text threads= trim type= type-list type-not= unrestricted vimgrep with-filename no-filename word-regexp`,
  operands: 'pattern then path',
  paths: ['-f', '--file'],
  descends: true,
  recursive: ['-u', '--unrestricted', '--hidden', '--no-ignore', '--no-ignore-vcs'],
  patternOptions: ['-e', '-f', '--regexp', '--file', '--files', '--type-list'],
}
/** What they find are names of files in the folder. */
const printsNames = { words: () => [plain('unknown/file')] }

/** Looking for files, and for text in them. */
export const SEARCH: Family = {
  grep: { reads: GREP, opens: 'after pattern', output: printsNames, findsProcesses: true },
  'egrep fgrep': { reads: GREP, opens: 'after pattern' },
  rg: {
    versionWords: ['--version', '-V'],
    reads: RG,
    opens: 'after pattern',
    output: printsNames,
    quietEnvironment: { RIPGREP_CONFIG_PATH: '' },
  },
  'ag ack': { opens: 'after pattern' },
  find: {
    versionWords: ['--version'],
    reads: findReading,
    opens: 'none',
    danger: findDanger,
    carries: findCommands,
    output: { words: foundPaths(/^-(?:i?name|i?path|i?regex|mindepth)$/) },
    exactRules: true,
  },
  fd: { opens: 'none', output: { words: foundPaths(/^-(?:i?name|i?path|i?regex|mindepth)$/) } },
}

const FIND_PLAIN = new Set(
  `-print -print0 -ls -depth -d -empty -mount -xdev -nouser -nogroup -readable -writable -executable -prune -quit -not -a -and -o
  -or -true -false -noleaf -daystart -ignore_readdir_race -noignore_readdir_race ! ( ) ,`.split(/\s+/),
)
const FIND_VALUE = new Set(
  `-name -iname -path -ipath -wholename -iwholename -regex -iregex -type -xtype -size -mtime -mmin -atime -amin -ctime -cmin -perm
  -user -group -uid -gid -maxdepth -mindepth -links -inum -printf -lname -ilname -regextype -fstype -used`.split(/\s+/),
)

function findReading(words: readonly string[], context: ReadingContext): Doubt | null {
  let index = 0
  while (/^-[HP]$/.test(words[index] ?? '')) index++
  for (; index < words.length && !/^[-(!,)]/.test(words[index] ?? ''); index++) {
    const found = pathDoubt(words[index] ?? '', context, true)
    if (found !== null) return found
  }
  for (; index < words.length; index++) {
    const word = words[index] ?? ''
    if (FIND_PLAIN.has(word)) continue
    if (FIND_VALUE.has(word)) index++
    else if (/^-(?:newer(?:[aBcm][aBcm])?|samefile|anewer|cnewer)$/.test(word)) {
      const found = pathDoubt(words[++index] ?? '', context, true)
      if (found !== null) return found
    } else return doubt('program', `find: ${word} may change or run something`)
  }
  return null
}

/** The paths before the first test. */
const startsOf = (args: readonly Field[]): readonly Field[] =>
  args.slice(0, args.findIndex((field) => /^[-(!]/.test(field.text)) >>> 0)

function findDanger(args: readonly Field[], words: readonly string[], { cwds, places }: Standing): Danger | null {
  const deletes = words.some(
    (word, index) =>
      word === '-delete' ||
      (/^-(?:exec|ok)(?:dir)?$/.test(word) && /^(?:.*\/)?(?:rm|unlink|shred|srm)$/.test(words[index + 1] ?? '')),
  )
  if (!deletes) return writtenPaths(valuesAfter(args, /^-f(?:print0?|printf|ls)$/), { cwds, places })
  const starts = startsOf(args)
  const filtered = words.some(
    (word, index) =>
      word === '-empty' ||
      // A pattern that everything fits leaves nothing out.
      (/^-(?:i?name|i?path|i?wholename|i?regex)$/.test(word) && !/^[*./?]*$/.test(words[index + 1] ?? '')),
  )
  for (const start of starts.length > 0 ? starts : [plain('.')]) {
    const vital = vitalTarget(start, cwds, places)
    const own =
      filtered &&
      possiblePaths(start, cwds, places).every((path) => isInside(path, places.workspace) && !path.includes('/.git'))
    if (vital !== null && !own) return { word: 'delete', reason: `deletes in ${vital.what}` }
  }
  return null
}

/** What is found: the starts themselves, or something below them when names are filtered. */
function foundPaths(filters: RegExp): (args: readonly Field[]) => Field[] {
  return (args) => {
    const starts = startsOf(args)
    const filtered = args.some((field) => filters.test(field.text))
    return (starts.length > 0 ? starts : [plain('.')]).map((start) =>
      filtered ? { ...start, text: `${start.text}/unknown/file` } : start,
    )
  }
}

const executedFor = foundPaths(/^-(?:i?name|i?path|i?wholename|i?regex|mindepth|empty|i?lname)$/)

/** `-exec`: `{}` stands for what was found. */
function findCommands(args: readonly Field[]): Carried[] {
  const found = executedFor(args.map((field) => (field.text === '' ? plain('.') : field)))
  const carried: Carried[] = []
  for (let index = 0; index < args.length; index++) {
    if (!/^-(?:exec|execdir|ok|okdir)$/.test(args[index]?.text ?? '')) continue
    const end = args.findIndex((field, at) => at > index && (field.text === ';' || field.text === '+'))
    const command = args.slice(index + 1, end < 0 ? undefined : end)
    for (const each of found) {
      carried.push({
        kind: 'argv',
        fields: command.map((field) =>
          field.text.includes('{}') ? { ...each, text: field.text.replaceAll('{}', each.text) } : field,
        ),
      })
    }
  }
  return carried
}
