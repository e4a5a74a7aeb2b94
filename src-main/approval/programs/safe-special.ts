import { canonicalPath, isInsideAny, lexicalPath } from '../paths/paths'
import { gitTrouble } from './git-reading'
import { npmTrouble, versionTrouble } from './node'
import { readOptions } from './options'
import { pathTrouble, type SafeContext, type Trouble } from './reading-paths'
import { VERSION_FLAGS } from './safe-table'
import { awkTrouble, jqTrouble, sedTrouble } from './text-scripts'

/** Commands that a table of options cannot describe. `undefined`: look into the table. */
export function specialTrouble(name: string, words: string[], context: SafeContext): Trouble | undefined {
  const versions = VERSION_FLAGS.get(name)
  if (versions && words.length === 1 && versions.includes(words[0] ?? '')) return versionTrouble(name, context)
  switch (name) {
    case 'cd':
      return cdTrouble(words, context)
    case 'printf':
      return printfTrouble(words)
    case 'test':
    case '[':
      return testTrouble(words)
    case 'command':
      return /^-[vV]$/.test(words[0] ?? '') && words.slice(1).every((word) => !word.startsWith('-'))
        ? null
        : 'command starts another program'
    case 'set':
      return /^(?:-[eux]+|-[eux]*o pipefail|-o errexit|-o nounset)$/.test(words.join(' '))
        ? null
        : 'set changes the shell, or prints every variable'
    case 'sleep':
      return words.length === 1 && /^(?:\d{1,2}(?:\.\d+)?|[12]\d\d|300)s?$/.test(words[0] ?? '')
        ? null
        : 'it sleeps longer than five minutes'
    case 'date':
      return dateTrouble(words, context)
    case 'find':
      return findTrouble(words, context)
    case 'sed':
      return programTrouble(
        words,
        {
          short: 'nErsuze:l:',
          long: 'quiet silent regexp-extended separate unbuffered null-data expression= posix sandbox',
        },
        ['-e', '--expression'],
        sedTrouble,
        context,
      )
    case 'awk':
    case 'gawk':
    case 'mawk':
      return programTrouble(words, { short: 'F:v:', strict: true }, [], awkTrouble, context)
    case 'jq':
      return jqCommandTrouble(words, context)
    case 'ps':
      return psTrouble(words)
    case 'xxd':
      return xxdTrouble(words, context)
    case 'git':
      return gitTrouble(words, context)
    case 'npm':
      return npmTrouble(words, context)
    default:
      return undefined
  }
}

function cdTrouble(words: string[], context: SafeContext): Trouble {
  const operands = words.filter((word) => word !== '--')
  const [target] = operands
  if (operands.length !== 1 || target === undefined || target.startsWith('-'))
    return 'it changes to a folder that is not named'
  const { places } = context
  for (const cwd of context.cwds) {
    if (cwd === null) return 'nobody can tell which folder it would be in'
    const canonical = canonicalPath(target, cwd, places.files)
    if (canonical === null || !isInsideAny(canonical, places.folders))
      return `it changes to a folder outside the workspace: ${target}`
    // The shell remembers the way it came, programs do not: after a link, `..` means two things.
    if (canonical !== lexicalPath(target, cwd)) return `${target} leads through a link`
  }
  return null
}

/** `%n` sets a variable, perhaps PATH; where a number should stand, some shells calculate. */
function printfTrouble(words: string[]): Trouble {
  const [format, ...values] = words[0] === '--' ? words.slice(1) : words
  if (format === undefined || format.startsWith('-')) return 'printf with an option may set a variable'
  const rest = format.replace(/%%|%[-+ #0']*\d*(?:\.\d*)?[sbqcdiuxXofeEgG]/g, (found) =>
    /[sbqc%]$/.test(found) ? '' : '\0',
  )
  if (rest.includes('%')) return 'printf has an unusual format'
  return rest.includes('\0') && values.some((value) => !/^[\w .,:+-]*$/.test(value)) ? 'printf may calculate' : null
}

const TEST_WORDS = new Set(
  '-e -f -d -r -w -x -s -L -h -z -n -b -c -p -S -k -u -g -O -G -N -t -eq -ne -lt -le -gt -ge -nt -ot -ef -a -o'.split(
    ' ',
  ),
)
const ARITHMETIC = new Set('-eq -ne -lt -le -gt -ge -t'.split(' '))

function testTrouble(words: string[]): Trouble {
  if (words.some((word) => word.startsWith('-') && !TEST_WORDS.has(word) && !/^-\d+$/.test(word)))
    return 'test has an option that may run something'
  for (const [index, word] of words.entries()) {
    if (!ARITHMETIC.has(word)) continue
    // Some shells calculate both sides, subscripts and all.
    for (const side of [words[index - 1], words[index + 1]]) {
      if (side !== undefined && !/^(?:[+-]?\d*|!|\(|-a|-o|\])$/.test(side)) return 'test may calculate'
    }
  }
  return null
}

function dateTrouble(words: string[], context: SafeContext): Trouble {
  const read = readOptions(words, {
    short: 'uRI::d:r:',
    long: 'utc universal iso-8601[=] rfc-3339= rfc-email date= reference=',
  })
  if (typeof read === 'string') return `date: ${read}`
  for (const { name, value } of read.options) {
    const trouble =
      (name === '-r' || name === '--reference') && value !== null ? pathTrouble(value, context, true) : null
    if (trouble !== null) return trouble
  }
  return read.operands.length <= 1 && read.operands.every((operand) => operand.startsWith('+'))
    ? null
    : 'date may set the clock'
}

const FIND_PLAIN = new Set(
  `-print -print0 -ls -depth -d -empty -mount -xdev -nouser -nogroup -readable -writable -executable -prune -quit -not -a -and -o
  -or -true -false -noleaf -daystart -ignore_readdir_race -noignore_readdir_race ! ( ) ,`.split(/\s+/),
)
const FIND_VALUE = new Set(
  `-name -iname -path -ipath -wholename -iwholename -regex -iregex -type -xtype -size -mtime -mmin -atime -amin -ctime -cmin -perm
  -user -group -uid -gid -maxdepth -mindepth -links -inum -printf -lname -ilname -regextype -fstype -used`.split(/\s+/),
)

function findTrouble(words: string[], context: SafeContext): Trouble {
  let index = 0
  while (/^-[HP]$/.test(words[index] ?? '')) index++
  for (; index < words.length && !/^[-(!,)]/.test(words[index] as string); index++) {
    const trouble = pathTrouble(words[index] as string, context, true)
    if (trouble !== null) return trouble
  }
  for (; index < words.length; index++) {
    const word = words[index] as string
    if (FIND_PLAIN.has(word)) continue
    if (FIND_VALUE.has(word)) index++
    else if (/^-(?:newer(?:[aBcm][aBcm])?|samefile|anewer|cnewer)$/.test(word)) {
      const trouble = pathTrouble(words[++index] ?? '', context, true)
      if (trouble !== null) return trouble
    } else return `find: ${word} may change or run something`
  }
  return null
}

/** sed and awk: the first operand is a program, unless an option gave it. */
function programTrouble(
  words: string[],
  spec: Parameters<typeof readOptions>[1],
  options: readonly string[],
  check: (program: string) => string | null,
  context: SafeContext,
): Trouble {
  const read = readOptions(words, spec)
  if (typeof read === 'string') return read
  const scripts = read.options.filter(({ name }) => options.includes(name)).map(({ value }) => value ?? '')
  const operands = [...read.operands]
  if (scripts.length === 0) scripts.push(operands.shift() ?? '')
  // Several scripts are joined with newlines; one could begin what the next ends.
  const trouble = scripts.map(check).find((found) => found !== null) ?? null
  return trouble ?? operands.map((path) => pathTrouble(path, context)).find((found) => found !== null) ?? null
}

const JQ = {
  short: 'rncsSejCMaRA',
  long: 'raw-output null-input compact-output slurp sort-keys exit-status join-output color-output monochrome-output ascii-output raw-input tab stream seq indent= unbuffered raw-output0',
}

function jqCommandTrouble(words: string[], context: SafeContext): Trouble {
  const kept: string[] = []
  for (let index = 0; index < words.length; index++) {
    if (/^--arg(?:json)?$/.test(words[index] as string)) index += 2
    else kept.push(words[index] as string)
  }
  if (kept.includes('--')) return 'jq: -- is read differently by different versions'
  const read = readOptions(kept, JQ)
  if (typeof read === 'string') return `jq: ${read}`
  const [filter, ...paths] = read.operands
  return (
    jqTrouble(filter ?? '.') ?? paths.map((path) => pathTrouble(path, context)).find((found) => found !== null) ?? null
  )
}

const PS_COLUMNS =
  /^(?:(?:pid|ppid|pgid|sid|uid|gid|user|group|ruser|euser|comm|cmd|command|args|stat|state|s|pcpu|%cpu|pmem|%mem|etime|etimes|time|rss|vsz|sz|tty|tt|start|lstart|start_time|ni|pri|nlwp|psr|wchan)=?,?)+$/

/** `ps auxe` prints every environment it can get. */
function psTrouble(words: string[]): Trouble {
  for (let index = 0; index < words.length; index++) {
    const word = words[index] as string
    if (/^(?:a?u?x?w*f?|-e?A?a?f?F?l?j?w*H?|--forest|--no-headers?|-?\d+(?:,\d+)*)$/.test(word)) continue
    if (/^(?:-[eA]*o|--format|o|a?x?o)$/.test(word) && PS_COLUMNS.test(words[index + 1] ?? '')) index++
    else if (/^-[eA]*o/.test(word) && PS_COLUMNS.test(word.replace(/^-[eA]*o/, ''))) continue
    else if (/^(?:-[puCUtg]|--ppid|--pid|--user)$/.test(word) && /^[\w.,-]+$/.test(words[index + 1] ?? '')) index++
    else if (!/^--(?:sort|pid|ppid)=[\w,%+-]+$/.test(word)) return `ps ${word} may tell more than it should`
  }
  return null
}

/** The second operand of xxd is a file that it writes. */
function xxdTrouble(words: string[], context: SafeContext): Trouble {
  const operands: string[] = []
  for (let index = 0; index < words.length; index++) {
    const word = words[index] as string
    // After the first file even `-e` is a file: the one that it writes to.
    if (operands.length > 0) operands.push(word)
    else if (/^-[lscgo]$/.test(word) && /^[+-]?(?:0x)?[\da-f]+$/i.test(words[index + 1] ?? '')) index++
    else if (!/^-(?:[abeEipu]|ps|[lcg]\d+|s[+-]?\d+)$/.test(word)) operands.push(word)
  }
  if (operands.length > 1 || operands.some((operand) => operand.startsWith('-'))) return 'xxd may write a file'
  return operands.map((path) => pathTrouble(path, context)).find((found) => found !== null) ?? null
}
